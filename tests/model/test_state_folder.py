"""The names of what lies in the state folder."""

import inspect
from pathlib import Path

from testwright.model import state_folder

_PLACES = {
    name: function
    for name, function in inspect.getmembers(state_folder, inspect.isfunction)
    if list(inspect.signature(function).parameters) == ["root"]
}


def test_every_place_is_directly_in_the_state_folder_and_no_two_are_the_same() -> None:
    places = [place(Path("project")) for place in _PLACES.values()]
    assert all(place.parent == Path("project", state_folder.STATE_FOLDER) for place in places)
    assert len(set(places)) == len(places)


def test_every_place_is_in_the_list_that_a_reader_sees() -> None:
    listed = {
        line.split()[0].split("/")[0] for line in (state_folder.__doc__ or "").splitlines() if line.startswith(" " * 8)
    }
    assert {place(Path()).name for place in _PLACES.values()} | {state_folder.STORE_FILE} == listed
