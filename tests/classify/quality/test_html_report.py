"""The report as a page that stands alone and cannot be led to do anything."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from tests.classify.flakiness.spelled import history, run_number
from testwright.classify.flakiness.flakiness_judge import judge_flakiness
from testwright.classify.flakiness.patterns import find_patterns
from testwright.classify.quality.failure_counts import FailureCounts, count_failures
from testwright.classify.quality.html_report import report_html
from testwright.classify.quality.svg_charts import bars_svg, trend_svg
from testwright.model.case import TestId
from testwright.model.failure_labels import FailureLabel
from testwright.model.history import History, PastAttempt

from .failures import failed, improvements
from .test_trends import over

HOSTILE = "</title><script>alert(1)</script><img src=x onerror='x'>\"&\x00\x1b[31m\ud800"
_SVG = "{http://www.w3.org/2000/svg}"


class Elements(HTMLParser):
    """Every element of a page with its attributes, and whether each was closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.attributes: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def whole_page(name: str = "test") -> str:
    histories = [
        history(f"{name} coin", "PF" * 15),
        history(f"{name} broken", "P" * 20 + "F" * 10),
        history(f"{name} maybe", "P" * 12 + "F" + "P" * 17),
        history(f"{name} new", "PFP"),
        *(history(f"{name} group {number}", "PPPPFPPPPP" * 3) for number in range(3)),
        *(history(f"fine {number}", "P" * 29 + ("F" if number < 12 else "P")) for number in range(30)),
    ]
    report = judge_flakiness(histories)
    return report_html(
        count_failures(
            improvements(*(failed(f"{name} {label}", label, message="expect(x).toBe(y)") for label in FailureLabel)),
            origins={"tests/test_a.py": name},
        ),
        over_time=over({FailureLabel.REAL_BUG: 1}, {label: number for number, label in enumerate(FailureLabel)}),
        flakiness=report,
        patterns=find_patterns(histories, outages=[outage.run.id for outage in report.outages]),
        title=f"Quality of {name}",
    )


def test_the_page_is_whole_and_loads_nothing() -> None:
    page = whole_page()
    elements = Elements(page)

    assert elements.open == []
    assert not {"script", "img", "link", "iframe", "object", "a", "image", "use"} & set(elements.names)
    assert not {"src", "href", "onload", "onerror", "style"} & set(elements.attributes)
    assert set(re.findall(r"https?://[^\"' <]+", page)) == {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert "url(" not in page
    assert "@import" not in page


def test_the_page_follows_light_and_dark_and_forbids_itself_everything_else() -> None:
    page = whole_page()

    assert "@media (prefers-color-scheme:dark)" in page
    assert "default-src 'none'" in page


def test_the_page_tells_of_failures_flaky_tests_outages_and_what_they_share() -> None:
    page = whole_page()

    for heading in (
        "What to look at", "Failures over time", "Failures by category", "Checks that failed", "Flaky tests",
        "Perhaps flaky", "Broken tests", "Runs left out", "Failures with something in common",
    ):  # fmt: skip
        assert f"<h2>{heading}</h2>" in page
    assert "test coin" in page
    assert "Failed in run-29, run-27" in page


def test_names_from_strangers_stay_text() -> None:
    page = whole_page(HOSTILE)
    elements = Elements(page)

    assert elements.open == []
    assert "script" not in elements.names
    assert "onerror" not in elements.attributes
    assert "\x00" not in page
    assert "\x1b" not in page
    page.encode()


def test_every_picture_has_a_title_a_description_and_is_whole() -> None:
    pictures = re.findall(r"<svg.*?</svg>", whole_page(), re.DOTALL)

    assert len(pictures) == 5
    for picture in pictures:
        root = ET.fromstring(picture)
        assert root.get("role") == "img"
        assert root.findtext(f"{_SVG}title")
        assert root.findtext(f"{_SVG}desc")


def test_a_picture_stands_alone() -> None:
    for picture in (
        bars_svg(HOSTILE, {HOSTILE: 3, "b": 1}), bars_svg("none", {}),
        trend_svg("over time", over({FailureLabel.REAL_BUG: 1})), trend_svg("none", over()),
    ):  # fmt: skip
        root = ET.fromstring(picture)
        assert "prefers-color-scheme" in (root.findtext(f"{_SVG}style") or "")


def test_columns_add_up_to_the_failures_however_many_kinds_there_are() -> None:
    root = ET.fromstring(
        trend_svg("t", over(dict.fromkeys(FailureLabel, 2), {FailureLabel.REAL_BUG: len(FailureLabel)}))
    )
    columns = [
        sum(float(rect.get("height", "0")) for rect in column.iter(f"{_SVG}rect")) for column in root.iter(f"{_SVG}g")
    ]

    assert len(columns) == 2
    assert columns[0] == pytest.approx(2 * columns[1], abs=1)  # twice as many failures


def test_the_same_input_gives_the_same_page() -> None:
    assert whole_page() == whole_page()


def test_nothing_to_tell_is_a_page_too() -> None:
    page = report_html(FailureCounts(), over_time=over(), flakiness=judge_flakiness([]), patterns=find_patterns([]))

    assert "<p>0 failures; 0 flaky, 0 perhaps flaky and 0 broken of 0 tests, by 0 runs.</p>" in page


def test_a_table_of_very_many_tests_is_cut_and_says_so() -> None:
    flaky = [
        History(TestId(f"test-{n}"), tuple(PastAttempt(run_number(r), (r + n) % 7 == 0) for r in range(30)))
        for n in range(250)
    ]

    page = report_html(FailureCounts(), flakiness=judge_flakiness(flaky))

    assert page.count("<tr>") == 201
    assert "And 50 more." in page
