"""A small Flutter app as its dumps show it, and a machine report of a test on it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class W:
    """A widget of a dump: `said` is what stands in front of its children."""

    said: str
    children: Sequence["W"] = field(default_factory=tuple)


def button(text: str, key: str = "", kind: str = "ElevatedButton") -> W:
    spelled_key = f"-[<'{key}'>]" if key else ""
    inside = W(
        f'Text("{text}", dependencies: [DefaultTextStyle, MediaQuery])',
        [W(f'RichText(maxLines: unlimited, text: "{text}")')],
    )
    semantics = W(
        "Semantics(container: true, properties: SemanticsProperties, tooltip: null)",
        [W("_InputPadding", [W("InkWell", [inside])])],
    )
    return W(f"{kind}{spelled_key}(dependencies: [MediaQuery], state: _ButtonStyleState#687c9)", [semantics])


def text(words: str) -> W:
    return W(f'Text("{words}", dependencies: [DefaultTextStyle])', [W(f'RichText(text: "{words}")')])


def app(*body: W) -> W:
    bar = W("AppBar(state: _AppBarState#1)", [text("Documents"), icon_button("Search"), icon_button("More")])
    column = W(
        "Column(direction: vertical)",
        [text("Quarterly report"), text("Last changed on Monday"), *body, text("All rights reserved")],
    )
    scaffold = W("Scaffold(state: ScaffoldState#2)", [bar, W("Padding(padding: EdgeInsets.all(8.0))", [column])])
    return W("[root](renderObject: RenderView#06beb)", [W("MaterialApp(state: _MaterialAppState#27fa9)", [scaffold])])


def icon_button(tooltip: str, key: str = "") -> W:
    spelled_key = f"-[<'{key}'>]" if key else ""
    icon = W("Icon(IconData(U+0E567))", [W('RichText(text: "\ue567")')])
    return W(
        f"IconButton{spelled_key}(Icon, padding: null)",
        [W(f'Tooltip("{tooltip}", position: below)', [W("InkResponse", [icon])])],
    )


def printed(widget: W) -> str:
    """As debugDumpApp() prints it."""
    lines: list[str] = ["AutomatedTestWidgetsFlutterBinding - DEBUG MODE"]

    def draw(node: W, before: str, mark: str, after: str) -> None:
        lines.append(f"{before}{mark}{node.said}")
        for at, child in enumerate(node.children):
            is_last = at == len(node.children) - 1
            draw(child, before + after, "└" if is_last else "├", " " if is_last else "│")

    draw(widget, "", "", "")
    return "\n".join(lines)


def semantics(*nodes: tuple[str, tuple[float, float, float, float], str]) -> str:
    """As debugDumpSemanticsTree() prints it: label, rectangle and flags of each node below the root."""
    lines = ["SemanticsNode#0", " │ Rect.fromLTRB(0.0, 0.0, 800.0, 600.0)", " │"]
    for at, (label, rect, flags) in enumerate(nodes):
        last = at == len(nodes) - 1
        bar = "   " if last else " │ "
        lines.append(f" {'└' if last else '├'}─SemanticsNode#{at + 1}")
        lines.append(f"{bar}  Rect.fromLTRB({', '.join(map(str, rect))})")
        lines += [f"{bar}  actions: tap", f"{bar}  flags: {flags}"] if flags else []
        lines += [f'{bar}  label: "{label}"', f"{bar}  textDirection: ltr", bar.rstrip()]
    return "\n".join(lines)


NOTHING_FOUND = """══╡ EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK ╞════════════════════════════════════════════════════
The following {what} was thrown running a test:
{message}

When the exception was thrown, this was the stack:
#4      main.<anonymous closure> (file:///builds/app/test/documents_test.dart:{line}:5)
<asynchronous suspension>
#5      testWidgets.<anonymous closure>.<anonymous closure> (package:flutter_test/src/widget_tester.dart:192:15)
(elided one frame from package:stack_trace)

The test description was:
  {name}
════════════════════════════════════════════════════════════════════════════════════════════════════"""


def expectation(finder: str) -> str:
    which = "means none were found but one was expected"
    return f"Expected: exactly one matching candidate\n  Actual: {finder}\n   Which: {which}\n"


def report(name: str, *prints: str, passed: bool) -> list[str]:
    """The lines of `flutter test --machine`."""
    events: list[dict[str, object]] = [
        {"protocolVersion": "0.1.1", "type": "start", "time": 0},
        {
            "suite": {"id": 0, "platform": "vm", "path": "/builds/app/test/documents_test.dart"},
            "type": "suite",
            "time": 0,
        },
        {
            "test": {
                "id": 3,
                "name": name,
                "suiteID": 0,
                "groupIDs": [2],
                "line": 174,
                "url": "package:flutter_test/x.dart",
            },
            "type": "testStart",
            "time": 1,
        },
        *({"testID": 3, "messageType": "print", "message": text, "type": "print", "time": 2} for text in prints),
    ]
    if not passed:
        events.append(
            {
                "testID": 3,
                "error": "Test failed. See exception logs above.",
                "stackTrace": "",
                "isFailure": False,
                "type": "error",
                "time": 3,
            }
        )
    events.append(
        {
            "testID": 3,
            "result": "success" if passed else "error",
            "skipped": False,
            "hidden": False,
            "type": "testDone",
            "time": 4,
        }
    )
    events.append({"success": passed, "type": "done", "time": 5})
    return [json.dumps(event) for event in events]
