"""Pages and texts have so much room; the oldest give way, those of errors last."""

from pathlib import Path

from tests.store.sessions.session_events import breaks, head, page
from testwright.store.sessions import SessionReader, SessionWriter
from testwright.store.sessions.bounded_files import BoundedFolder


def test_the_newest_sixty_pages_stay_and_those_of_errors(tmp_path: Path) -> None:
    with SessionWriter(tmp_path / "cap_1_a") as writer:
        writer.begin(head())
        for seq in range(1, 100):
            name = writer.keep_page(seq, page(f"Button {seq}"))
            if seq == 3:
                writer.add(breaks(3, page=name))
        writer.finish(ended=1, gaps=())
    reader = SessionReader(writer.folder)

    kept = [seq for seq in range(1, 100) if reader.page(f"page-{seq}") is not None]

    assert kept == [3, *range(40, 100)]
    assert reader.page("page-3") == page("Button 3")


def test_what_is_too_large_is_not_kept(tmp_path: Path) -> None:
    shelf = BoundedFolder(tmp_path / "texts", most_bytes=100, most_files=10, largest=50)

    assert not shelf.put("large", b"x" * 51)
    assert shelf.put("small", b"x" * 50)


def test_the_oldest_gives_way_when_the_room_is_used_up(tmp_path: Path) -> None:
    shelf = BoundedFolder(tmp_path / "texts", most_bytes=100, most_files=10, largest=50)
    for name in ("a", "b", "c"):
        assert shelf.put(name, b"x" * 40)

    assert sorted(path.name for path in (tmp_path / "texts").iterdir()) == ["b", "c"]


def test_what_is_spared_stays_even_when_that_leaves_no_room(tmp_path: Path) -> None:
    shelf = BoundedFolder(tmp_path / "texts", most_bytes=100, most_files=10, largest=50)
    for name in ("a", "b"):
        shelf.put(name, b"x" * 50)
        shelf.spare(name)

    assert not shelf.put("c", b"x")
    assert sorted(path.name for path in (tmp_path / "texts").iterdir()) == ["a", "b"]


def test_a_page_that_is_kept_again_replaces_the_one_before(tmp_path: Path) -> None:
    with SessionWriter(tmp_path / "cap_1_a") as writer:
        writer.begin(head())
        writer.keep_page(1, page("Before"))
        name = writer.keep_page(1, page("After"))

    assert SessionReader(writer.folder).page(name) == page("After")
