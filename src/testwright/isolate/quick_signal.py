"""The `signal` module without its enums, whose import would make every child start 5 ms later."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal

__all__ = ["signal"]
