"""Charts as SVG text: nothing outside of it is needed, and colours follow the reader's light or dark scheme."""

from collections.abc import Mapping, Sequence
from html import escape

from testwright.classify.quality.trends import Trends
from testwright.model.untrusted_text import visible_line

# Colours that stay apart for people who do not see red and green alike; lighter where the ground is dark.
_LIGHT = ("#0072b2", "#b35900", "#007a5a", "#a0467d", "#6b5f00", "#4a6fa5", "#767676")
_DARK = ("#56b4e9", "#e69f00", "#2fbf91", "#d98cb8", "#d9cc4d", "#9fb8dc", "#a6a6a6")
_SHOWN_LABELS = len(_LIGHT) - 1  # the last colour is for all others
_WIDTH = 640
_ROW = 24
_NAMES = 190
_HEIGHT = 180

STYLE = (
    ":root{color-scheme:light dark;--ink:#1b1b1b;--faint:#5c5c5c;--line:#d0d0d0;--ground:#ffffff;"
    + "".join(f"--c{number}:{colour};" for number, colour in enumerate(_LIGHT))
    + "}@media (prefers-color-scheme:dark){:root{--ink:#ececec;--faint:#a8a8a8;--line:#444444;--ground:#161616;"
    + "".join(f"--c{number}:{colour};" for number, colour in enumerate(_DARK))
    + "}}svg text{font:13px system-ui,sans-serif;fill:var(--ink)}svg .faint{fill:var(--faint)}"
    + "svg .axis{stroke:var(--line)}"
    + "".join(f"svg .c{number}{{fill:var(--c{number})}}" for number in range(len(_LIGHT)))
)


def shown(text: str, *, limit: int = 500) -> str:
    """Text of strangers as it may stand in a page: visible, on one line, and never markup."""
    return escape(visible_line(text, limit=limit), quote=True)


def bars_svg(title: str, counts: Mapping[str, int], *, standalone: bool = True) -> str:
    """A horizontal bar for each name."""
    most = max(1, *counts.values()) if counts else 1
    longest = _WIDTH - _NAMES - 60
    rows: list[str] = []
    for number, (name, count) in enumerate(counts.items()):
        top = number * _ROW + 4
        length = count / most * longest
        rows.append(
            f'<g><title>{shown(name)}: {count}</title><text x="{_NAMES - 8}" y="{top + 13}" text-anchor="end">'
            f'{shown(name, limit=26)}</text><rect class="c0" x="{_NAMES}" y="{top}" width="{length:.1f}" height="16"'
            f' rx="2"/><text class="faint" x="{_NAMES + length + 6:.1f}" y="{top + 13}">{count}</text></g>'
        )
    told = "; ".join(f"{name} {count}" for name, count in counts.items()) or "nothing"
    return _picture(title, told, "".join(rows), len(counts) * _ROW + 8, standalone=standalone)


def trend_svg(title: str, over_time: Trends, *, standalone: bool = True) -> str:
    """A column for each run, oldest on the left, its failures stacked by label."""
    labels = over_time.labels[:_SHOWN_LABELS]
    others = len(over_time.labels) > len(labels)
    most = max(1, *over_time.failures()) if over_time.points else 1
    step = (_WIDTH - 40) / max(1, len(over_time.points))
    columns = [
        _column(over_time, number, labels, left=36 + number * step, width=min(40.0, max(1.0, step - 2)), most=most)
        for number in range(len(over_time.points))
    ]
    axis = (
        f'<line class="axis" x1="34" y1="{_HEIGHT}" x2="{_WIDTH}" y2="{_HEIGHT}"/>'
        f'<text class="faint" x="28" y="14" text-anchor="end">{most}</text>'
        f'<text class="faint" x="28" y="{_HEIGHT}" text-anchor="end">0</text>'
    )
    names = [*labels, "others"] if others else list(labels)
    told = f"{len(over_time.points)} runs; " + "; ".join(
        f"{label}: {', '.join(map(str, over_time.failures(label)))}" for label in over_time.labels
    )
    height = _HEIGHT + 12 + _ROW * ((len(names) + 2) // 3)
    return _picture(title, told, axis + "".join(columns) + _legend(names), height, standalone=standalone)


def _column(over_time: Trends, number: int, labels: Sequence[str], *, left: float, width: float, most: int) -> str:
    point = over_time.points[number]
    counts = [point.by_label.get(label, 0) for label in labels]
    counts.append(sum(point.by_label.values()) - sum(counts))
    colours = [*range(len(labels)), _SHOWN_LABELS]
    bottom = float(_HEIGHT)
    pieces: list[str] = []
    for colour, count in zip(colours, counts, strict=True):
        if count > 0:
            height = count / most * (_HEIGHT - 8)
            bottom -= height
            pieces.append(
                f'<rect class="c{colour}" x="{left:.1f}" y="{bottom:.1f}" width="{width:.1f}" height="{height:.1f}"/>'
            )
    told = ", ".join(f"{label} {count}" for label, count in point.by_label.items()) or "no failures"
    return f"<g><title>{shown(point.run)}: {shown(told)}</title>{''.join(pieces)}</g>"


def _legend(names: Sequence[str]) -> str:
    pieces: list[str] = []
    for number, name in enumerate(names):
        left, top = 36 + number % 3 * 200, _HEIGHT + 14 + number // 3 * _ROW
        colour = _SHOWN_LABELS if name == "others" else number
        pieces.append(
            f'<rect class="c{colour}" x="{left}" y="{top}" width="12" height="12" rx="2"/>'
            f'<text x="{left + 18}" y="{top + 11}">{shown(name)}</text>'
        )
    return "".join(pieces)


def _picture(title: str, told: str, content: str, height: int, *, standalone: bool) -> str:
    style = f"<style>{STYLE}</style>" if standalone else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}"'
        f' height="{height}"><title>{shown(title)}</title><desc>{shown(told, limit=4000)}</desc>{style}{content}</svg>'
    )
