"""A value that turns out to be secret late is taken out of everything that was written before."""

from pathlib import Path

from tests.store.sessions.session_events import asks, breaks, head, page, says
from testwright.model.dom import Frame
from testwright.model.session import ErrorId, MessageBody
from testwright.store.page_bytes import decoded
from testwright.store.sessions import SessionReader, SessionWriter

SECRET = 'hunter"2\n'


def without_secret(text: str) -> str:
    return text.replace(SECRET, "[REDACTED]").replace("0badc0de", "[REDACTED]")


def test_no_file_shows_the_value_afterwards_and_the_rest_is_as_it_was(tmp_path: Path) -> None:
    with SessionWriter(tmp_path / "cap_1_a") as writer:
        writer.begin(head(title=f"with {SECRET}"))
        name = writer.keep_text("body", f"a {SECRET} b")
        shown = writer.keep_page(3, page(SECRET, "Save"))
        writer.add(says(1, f"logged in with {SECRET}"))
        writer.add(asks(2, f"http://shop.test/?p={SECRET}", received=MessageBody(None, blob=name)))
        writer.add(breaks(3, page=shown, message=SECRET))
        writer.add(says(4, "nothing to hide"))
        untouched = writer.keep_text("other", "plain")
        before = (writer.folder / "texts" / untouched).stat().st_ino
        writer.finish(ended=5, gaps=(f"{SECRET} was not seen",), last_page=shown, remask=without_secret)
    reader = SessionReader(writer.folder)
    session = reader.session()

    for path in writer.folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert b"hunter" not in content, path
    assert b"hunter" not in repr(decoded((writer.folder / "pages" / shown).read_bytes())).encode()
    assert session.events == (
        says(1, "logged in with [REDACTED]"),
        asks(2, "http://shop.test/?p=[REDACTED]", received=MessageBody(None, blob=name)),
        breaks(3, page=shown, message="[REDACTED]"),
        says(4, "nothing to hide"),
    )
    assert session.head.title == "with [REDACTED]"
    assert session.gaps == ("[REDACTED] was not seen",)
    assert reader.text(name) == "a [REDACTED] b"
    assert reader.page(session.last_page) == page("[REDACTED]", "Save")
    assert (writer.folder / "texts" / untouched).stat().st_ino == before


def test_names_by_which_things_are_found_stay(tmp_path: Path) -> None:
    with SessionWriter(tmp_path / "cap_1_0badc0de") as writer:
        writer.begin(head(id=writer.id))
        writer.add(breaks(3, error_id=ErrorId("err_1700000000003_0badc0de"), fingerprint="0badc0de"))
        writer.finish(ended=5, gaps=(), remask=without_secret)
    reader = SessionReader(writer.folder)

    [error] = reader.session().errors

    assert reader.head.id == "cap_1_0badc0de"
    assert (error.error_id, error.fingerprint) == ("err_1700000000003_0badc0de", "0badc0de")


def test_an_unfinished_page_is_masked_in_its_frames_too(tmp_path: Path) -> None:
    framed = page("Save")
    framed = type(framed)(framed.elements, framed.url, frames=(Frame(), Frame(f"http://pay.test/{SECRET}", 1)))
    with SessionWriter(tmp_path / "cap_1_a") as writer:
        writer.begin(head())
        name = writer.keep_page(1, framed)
        writer.finish(ended=5, gaps=(), remask=without_secret)

    masked = SessionReader(writer.folder).page(name)

    assert masked is not None
    assert masked.frames[1].url == "http://pay.test/[REDACTED]"
