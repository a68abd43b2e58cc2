from contextlib import asynccontextmanager
@asynccontextmanager
async def serving(recording, *, control, on_live):
    yield
