"""One reading of a page answers many questions, for ten seconds."""

from testwright.model.dom import DomSnapshot
from testwright.observe.snapshot_cache import SnapshotCache


def test_a_page_is_read_once_in_ten_seconds_and_then_again() -> None:
    now, read = [0.0], list[str]()

    def reading(url: str) -> DomSnapshot:
        read.append(url)
        return DomSnapshot((), url=url)

    cache = SnapshotCache(clock=lambda: now[0])
    for moment in (0.0, 9.9, 10.0):
        now[0] = moment
        cache.get("http://a.test", reading)
    cache.get("http://b.test", reading)

    assert read == ["http://a.test", "http://a.test", "http://b.test"]


def test_a_page_that_was_still_being_loaded_is_read_again() -> None:
    pages = iter([DomSnapshot((), is_loaded=False), DomSnapshot(())])
    cache = SnapshotCache(clock=lambda: 0.0)

    assert not cache.get("http://a.test", lambda _: next(pages)).is_loaded
    assert cache.get("http://a.test", lambda _: next(pages)).is_loaded
