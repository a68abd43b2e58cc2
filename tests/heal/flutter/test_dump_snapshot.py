"""What the dumps of an app say about its widgets."""

import pytest

from tests.heal.flutter.app import W, app, button, icon_button, printed, semantics, text
from testwright.heal.flutter.dump_snapshot import snapshot_from_dumps
from testwright.model.dom import Box, DomSnapshot, Element
from testwright.model.errors import TooLarge


def of_type(page: DomSnapshot, tag: str) -> list[Element]:
    return [element for element in page.elements if element.tag == tag]


def test_a_button_has_its_key_its_role_and_the_text_inside_it() -> None:
    (found,) = of_type(snapshot_from_dumps(printed(app(button("Save", "foo")))), "ElevatedButton")

    assert (found.get("key"), found.role, found.text, found.name) == ("foo", "button", "Save", "Save")


def test_a_tooltip_belongs_to_the_control_around_it() -> None:
    page = snapshot_from_dumps(printed(app(icon_button("Delete", "bin"))))

    (control,) = [element for element in of_type(page, "IconButton") if element.get("key") == "bin"]
    assert (control.name, control.get("title")) == ("Delete", "Delete")
    assert [element.get("tooltip") for element in of_type(page, "Tooltip")] == ["Search", "More", "Delete"]


def test_a_label_belongs_to_the_control_that_it_stands_around() -> None:
    around = W('Semantics(container: true, properties: SemanticsProperties, label: "Close the report")', [button("X")])

    (found,) = of_type(snapshot_from_dumps(printed(app(around))), "ElevatedButton")

    assert (found.name, found.text) == ("Close the report", "X")


def test_a_text_field_is_known_by_its_label_and_hint() -> None:
    field = W(
        'TextField(decoration: InputDecoration(labelText: "E-mail", hintText: "you@example.org"), enabled: false)'
    )

    (found,) = of_type(snapshot_from_dumps(printed(app(field))), "TextField")

    assert (found.role, found.label, found.name) == ("textbox", "E-mail", "E-mail")
    assert (found.get("placeholder"), found.enabled) == ("you@example.org", False)


def test_what_is_off_stage_is_not_there() -> None:
    page = snapshot_from_dumps(printed(app(W("Offstage(offstage: true)", [button("Hidden")]), button("Shown"))))

    assert [element.text for element in of_type(page, "ElevatedButton")] == ["Shown"]


def test_private_widgets_and_the_glyphs_of_icons_are_left_out() -> None:
    page = snapshot_from_dumps(printed(app(button("Save"))))

    assert not [element for element in page.elements if element.tag.startswith("_")]
    assert not any("\ue567" in element.text for element in page.elements)


def test_dumps_of_a_device_read_the_same() -> None:
    tree = printed(app(button("Save", "foo")))
    prefixed = "\n".join(f"flutter: {line}" for line in tree.split("\n"))

    assert snapshot_from_dumps(prefixed) == snapshot_from_dumps(tree)


def test_boxes_of_the_semantics_tree_become_places_on_the_screen() -> None:
    nested = """SemanticsNode#0
 │ Rect.fromLTRB(0.0, 0.0, 2400.0, 1800.0) scaled by 3.0x
 │
 └─SemanticsNode#1
   │ Rect.fromLTRB(100.0, 50.0, 700.0, 550.0)
   │
   ├─SemanticsNode#2
   │   Rect.fromLTRB(10.0, 20.0, 110.0, 60.0)
   │   actions: tap
   │   flags: isButton, hasEnabledState
   │   label:
   │     "Save
   │     everything"
   │   tooltip: "Save (Ctrl+S)"
   │
   └─SemanticsNode#3
       Rect.fromLTRB(0.0, 100.0, 50.0, 140.0)
       flags: isTextField, isObscured, isHidden
       label: "Password"
Another line that was printed
"""
    page = snapshot_from_dumps(semantics=nested)

    save, password = page.elements[2], page.elements[3]
    assert (save.role, save.name, save.box, save.enabled) == ("button", "Save everything", Box(110, 70, 100, 40), False)
    assert save.get("tooltip") == "Save (Ctrl+S)"
    assert (password.role, password.label, password.visible) == ("textbox", "Password", False)
    assert password.get("type") == "password"


@pytest.mark.parametrize(
    ("flags", "role"),
    [
        ("isButton", "button"), ("isTextField", "textbox"), ("isHeader", "heading"), ("isImage", "img"),
        ("hasCheckedState, isChecked", "checkbox"), ("hasCheckedState, isInMutuallyExclusiveGroup", "radio"),
        ("hasToggledState", "switch"), ("isLink", "link"), ("isSlider", "slider"), ("isFocusable", ""),
    ],
)  # fmt: skip
def test_flags_say_what_a_node_is(flags: str, role: str) -> None:
    assert snapshot_from_dumps(semantics=semantics(("x", (0, 0, 1, 1), flags))).elements[1].role == role


def test_both_trees_are_joined_by_what_they_say() -> None:
    spoken = semantics(
        ("Save", (10, 20, 110, 60), "isButton"), ("Save", (10, 80, 110, 120), "isButton"), ("Lost", (0, 0, 5, 5), "")
    )
    page = snapshot_from_dumps(printed(app(button("Save", "a"), button("Save", "b"), text("Alone"))), spoken)

    assert [each.box for each in of_type(page, "ElevatedButton")] == [Box(10, 20, 100, 40), Box(10, 80, 100, 40)]
    assert page.viewport == (800, 600)


def test_a_text_that_the_trees_do_not_agree_on_gets_no_place() -> None:
    page = snapshot_from_dumps(
        printed(app(button("Save", "a"), button("Save", "b"))), semantics(("Save", (10, 20, 110, 60), "isButton"))
    )

    assert [each.box for each in of_type(page, "ElevatedButton")] == [None, None]


@pytest.mark.parametrize(
    "garbage",
    ["", "\x00\x01\x02", "└" * 1000, "SemanticsNode#", "Rect.fromLTRB(NaN, 0, 1)", "\n".join("└" for _ in range(99))],
)
def test_what_is_no_dump_is_an_empty_page(garbage: str) -> None:
    assert snapshot_from_dumps(garbage, garbage).elements == ()


def test_rectangles_without_an_end_have_no_place() -> None:
    page = snapshot_from_dumps(semantics="SemanticsNode#0\n │ Rect.fromLTRB(0.0, 0.0, Infinity, NaN)\n")

    assert page.elements[0].box is None


@pytest.mark.parametrize(
    "tree", ["x" * 10_000_001, "\n".join(f"{' ' * depth}└Column" for depth in range(1_200))], ids=["large", "deep"]
)
def test_what_no_app_would_print_is_refused(tree: str) -> None:
    with pytest.raises(TooLarge):
        snapshot_from_dumps(tree)
