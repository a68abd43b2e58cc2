"""JUnit XML is read in the dialects that runners really write."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.model.errors import MalformedReport
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult, TestResult
from testwright.run.importers.report_reader import read_report

ReadText = Callable[..., RunResult]


def only(run: RunResult) -> TestResult:
    assert len(run.results) == 1
    return run.results[0]


def case_xml(inside: str = "", *, attributes: str = 'classname="cart" name="adds"') -> str:
    return f'<testsuites><testsuite name="s"><testcase {attributes}>{inside}</testcase></testsuite></testsuites>'


# --- a real report ---------------------------------------------------------------------------

REAL_TESTS = """
import pytest

def test_passes():
    print("seen")

def test_fails():
    assert 1 == 2, "one is not two"

@pytest.fixture
def broken():
    raise RuntimeError("no database")

def test_set_up_breaks(broken):
    pass

@pytest.fixture
def breaks_after():
    yield
    raise RuntimeError("cannot clean up")

def test_fails_and_tear_down_breaks(breaks_after):
    assert False, "the check"

@pytest.mark.skip(reason="not today")
def test_skipped():
    pass

@pytest.mark.xfail(reason="known")
def test_expected_failure():
    assert False

@pytest.mark.parametrize("n", [1, 2])
def test_each(n):
    assert n

class TestTotal:
    def test_inside_a_class(self):
        pass
"""


@pytest.mark.parametrize("family", ["xunit1", "xunit2"])
def test_a_report_that_pytest_wrote_has_the_counts_pytest_counted(tmp_path: Path, family: str) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_cart.py").write_text(REAL_TESTS)
    (tests / "test_broken.py").write_text("import nothing_of_that_name")
    (tmp_path / "pytest.ini").write_text(f"[pytest]\njunit_family={family}\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:playwright", "-p", "no:xdist"]
    command += ["--continue-on-collection-errors", "--junitxml=out", "-q"]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120).stdout
    assert "2 failed, 4 passed, 1 skipped, 1 xfailed, 3 errors" in printed

    run = read_report(tmp_path / "out", project=tmp_path)

    assert run.source == "junit"
    outcomes = {result.case.id: result.outcome for result in run.results}
    assert outcomes == {
        "junit:tests/test_broken.py": Outcome.ERROR,
        "junit:tests/test_cart.py::test_passes": Outcome.PASSED,
        "junit:tests/test_cart.py::test_fails": Outcome.FAILED,
        "junit:tests/test_cart.py::test_set_up_breaks": Outcome.ERROR,
        "junit:tests/test_cart.py::test_fails_and_tear_down_breaks": Outcome.FAILED,
        "junit:tests/test_cart.py::test_fails_and_tear_down_breaks #2": Outcome.ERROR,  # pytest writes it twice
        "junit:tests/test_cart.py::test_skipped": Outcome.SKIPPED,
        "junit:tests/test_cart.py::test_expected_failure": Outcome.SKIPPED,
        "junit:tests/test_cart.py::test_each[1]": Outcome.PASSED,
        "junit:tests/test_cart.py::test_each[2]": Outcome.PASSED,
        "junit:tests/test_cart.py::TestTotal › test_inside_a_class": Outcome.PASSED,
    }
    assert run.duration_ms > 0
    by_name = {result.case.name: result.last for result in run.results}
    assert "one is not two" in by_name["test_fails"].message
    assert "assert 1 == 2" in by_name["test_fails"].stack
    assert by_name["test_skipped"].message == "not today"
    assert by_name["test_expected_failure"].reason == "xfail"


# --- dialects --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inside", "outcome", "message"),
    [
        pytest.param("", Outcome.PASSED, "", id="nothing said"),
        pytest.param("<failure message='no'>trace</failure>", Outcome.FAILED, "no", id="failure"),
        pytest.param("<failure>first\nsecond</failure>", Outcome.FAILED, "first", id="failure without a message"),
        pytest.param("<failure type='AssertionError'/>", Outcome.FAILED, "AssertionError", id="only a type"),
        pytest.param("<error message='boom'/>", Outcome.ERROR, "boom", id="error"),
        pytest.param("<error type='timeout' message='slow'/>", Outcome.TIMEOUT, "slow", id="our own word for it"),
        pytest.param("<skipped message='later'/>", Outcome.SKIPPED, "later", id="skipped"),
        pytest.param("<skipped>later</skipped>", Outcome.SKIPPED, "later", id="skipped, reason as text"),
    ],
)
def test_each_verdict_is_understood(read_text: ReadText, inside: str, outcome: Outcome, message: str) -> None:
    result = only(read_text(case_xml(inside)))

    assert (result.outcome, result.last.message) == (outcome, message)


def test_a_test_that_googletest_did_not_run_is_skipped(read_text: ReadText) -> None:
    run = read_text(case_xml(attributes='classname="Cart" name="Adds" status="notrun" result="suppressed"'))

    assert only(run).outcome is Outcome.SKIPPED


def test_several_failures_of_one_test_are_all_kept(read_text: ReadText) -> None:
    result = only(read_text(case_xml("<failure message='a'/><failure message='b'/><error message='c'/>")))

    assert result.outcome is Outcome.FAILED
    assert result.last.errors == ("a", "b", "c")


def test_output_of_a_test_is_kept_apart(read_text: ReadText) -> None:
    last = only(read_text(case_xml("<system-out>out</system-out><system-err>err</system-err>"))).last

    assert (last.stdout, last.stderr) == ("out", "err")


def test_a_test_that_passed_when_repeated_is_flaky(read_text: ReadText) -> None:
    flaky = (
        "<flakyFailure message='once' type='X'><stackTrace>at 1</stackTrace><system-out>o</system-out></flakyFailure>"
    )

    result = only(read_text(case_xml(flaky + "<flakyError message='twice' type='Y'>at 2</flakyError>")))

    assert [attempt.outcome for attempt in result.attempts] == [Outcome.FAILED, Outcome.ERROR, Outcome.PASSED]
    assert [attempt.number for attempt in result.attempts] == [1, 2, 3]
    assert [attempt.message for attempt in result.attempts] == ["once", "twice", ""]
    assert [attempt.stack for attempt in result.attempts] == ["at 1", "at 2", ""]
    assert result.attempts[0].stdout == "o"
    assert result.is_flaky


def test_a_test_that_failed_each_time_has_an_attempt_for_each(read_text: ReadText) -> None:
    result = only(read_text(case_xml("<failure message='first'/><rerunFailure message='second' type='X'/>")))

    assert [attempt.message for attempt in result.attempts] == ["first", "second"]
    assert result.outcome is Outcome.FAILED
    assert not result.is_flaky


def test_suites_may_stand_inside_suites(read_text: ReadText) -> None:
    run = read_text(
        '<testsuites><testsuite name="outer" file="a.spec.js"><testcase name="one"/>'
        '<testsuite name="inner"><testcase name="two"/></testsuite></testsuite></testsuites>'
    )

    assert [(result.case.file, result.case.title) for result in run.results] == [
        ("a.spec.js", ("outer", "one")),
        ("a.spec.js", ("inner", "two")),
    ]


def test_a_single_suite_may_be_the_root(read_text: ReadText) -> None:
    assert (
        only(read_text('<testsuite name="Mocha"><testcase classname="cart" name="adds"/></testsuite>')).case.file
        == "cart"
    )


def test_tests_of_one_name_are_kept_apart(read_text: ReadText) -> None:
    run = read_text('<testsuite name="s">' + '<testcase classname="cart" name="adds"/>' * 3 + "</testsuite>")

    assert [result.case.occurrence for result in run.results] == [1, 2, 3]
    assert len({result.case.id for result in run.results}) == 3


@pytest.mark.parametrize(
    ("time", "milliseconds"),
    [
        ("0.25", 250),
        ("1,234.5", 1_234_500),
        ("0,25", 250),
        ("1,234,567", 1_234_567_000),
        ("-3", 0),
        ("NaN", 0),
        ("inf", 0),
        ("1e300", 0),
        ("soon", 0),
        ("", 0),
    ],
)
def test_durations_are_read_as_runners_write_them(read_text: ReadText, time: str, milliseconds: float) -> None:
    result = only(read_text(case_xml(attributes=f'classname="cart" name="adds" time="{time}"')))

    assert result.duration_ms == milliseconds


def test_a_missing_time_is_not_a_time(read_text: ReadText) -> None:
    assert only(read_text(case_xml())).duration_ms == 0


def test_the_run_starts_when_its_first_suite_does(read_text: ReadText) -> None:
    run = read_text(
        '<testsuites><testsuite name="a" timestamp="2026-03-01T12:00:00+02:00" time="2"/>'
        '<testsuite name="b" timestamp="2026-03-01T09:59:00" time="1.5"/></testsuites>'
    )

    assert run.started_at.isoformat() == "2026-03-01T09:59:00+00:00"
    assert run.duration_ms == 3500


def test_playwrights_browser_projects_are_kept_apart(read_text: ReadText) -> None:
    suite = '<testsuite name="a.spec.ts" hostname="{}"><testcase classname="a.spec.ts" name="pays"/></testsuite>'

    run = read_text(f'<testsuites id="" name="">{suite.format("chromium")}{suite.format("firefox")}</testsuites>')

    assert [result.case.variant for result in run.results] == ["chromium", "firefox"]


def test_the_machine_a_suite_ran_on_is_not_part_of_a_tests_name(read_text: ReadText) -> None:
    run = read_text(
        '<testsuites><testsuite name="a" hostname="ci-7"><testcase classname="a" name="b"/></testsuite></testsuites>'
    )

    assert only(run).case.variant == ""


# --- where a test lies -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attributes", "file", "title"),
    [
        pytest.param('classname="tests.test_cart" name="t"', "tests/test_cart.py", ("t",), id="pytest module"),
        pytest.param('classname="tests.test_cart.TestA" name="t"', "tests/test_cart.py", ("TestA", "t"), id="class"),
        pytest.param(
            'classname="x.test_a.TestA" name="t" file="x/test_a.py" line="7"',
            "x/test_a.py",
            ("TestA", "t"),
            id="file given",
        ),
        pytest.param(
            'classname="org.shop.CartTest" name="t()"', "src/test/java/org/shop/CartTest.java", ("t()",), id="java"
        ),
        pytest.param(
            'classname="org.shop.CartTest$Empty" name="t"',
            "src/test/java/org/shop/CartTest.java",
            ("Empty", "t"),
            id="nested",
        ),
        pytest.param('classname="org.other.Test" name="t"', "org.other.Test", ("t",), id="unknown class"),
        pytest.param('classname="cart.spec.ts" name="a › b"', "cart.spec.ts", ("a", "b"), id="playwright"),
        pytest.param('classname="src/cart.test.ts" name="a &gt; b"', "src/cart.test.ts", ("a > b",), id="vitest"),
        pytest.param('classname="a b" name="a b" file="src/x.test.js"', "src/x.test.js", ("a b",), id="jest-junit"),
        pytest.param(
            'classname="a" name="b" file="src/x.test.js"', "src/x.test.js", ("a", "b"), id="jest-junit, split"
        ),
        pytest.param(
            'classname="example.com/shop/cart" name="TestA"', "example.com/shop/cart", ("TestA",), id="gotestsum"
        ),
        pytest.param('classname="test\\cart_test.dart" name="t"', "test/cart_test.dart", ("t",), id="windows"),
        pytest.param('classname="a" name="b" file="/else/where.js"', "/else/where.js", ("a", "b"), id="outside"),
    ],
)
def test_a_test_is_placed_in_its_file(
    read_text: ReadText, project: Path, attributes: str, file: str, title: tuple[str, ...]
) -> None:
    for name in ("tests/test_cart.py", "src/test/java/org/shop/CartTest.java"):
        (project / name).parent.mkdir(parents=True)
        (project / name).touch()

    case = only(read_text(case_xml(attributes=attributes))).case

    assert (case.file, case.title) == (file, title)


def test_an_absolute_path_inside_the_project_is_named_from_its_root(read_text: ReadText, project: Path) -> None:
    case = only(read_text(case_xml(attributes=f'classname="g" name="t" file="{project}/a/b.spec.js" line="12"'))).case

    assert (case.file, case.line) == ("a/b.spec.js", 12)


def test_class_names_cannot_make_us_look_outside_the_project(read_text: ReadText, project: Path) -> None:
    (project.parent / "secret.py").touch()

    assert only(read_text(case_xml(attributes='classname="../secret" name="t"'))).case.file == "../secret"


# --- what cannot be believed -----------------------------------------------------------------


def test_a_report_that_counts_failures_but_shows_none_is_not_a_success(read_text: ReadText) -> None:
    run = read_text('<testsuite name="s" tests="9" failures="2"><testcase classname="a" name="b"/></testsuite>')

    assert not run.success
    assert [problem.code for suite in run.suites for problem in suite.problems] == ["unexplained_failure"]


LEVELS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BILLION_LAUGHS = f"""<?xml version="1.0"?>
<!-- harmless -->
<!DOCTYPE testsuite [<!ENTITY l0 "ha">{LEVELS}]>
<testsuite name="&l9;"/>"""


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(BILLION_LAUGHS.encode(), id="entities"),
        pytest.param(BILLION_LAUGHS.encode("utf-16"), id="entities, hidden in UTF-16"),
        pytest.param(b'<!DOCTYPE t SYSTEM "file:///etc/passwd"><testsuite name="s"/>', id="external"),
        pytest.param(
            b'<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE t [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
            b"<testsuite><testcase name='t'><failure>&e;</failure></testcase></testsuite>",
            id="external entity, other encoding",
        ),
    ],
)
def test_a_document_type_is_refused(read_text: ReadText, content: bytes) -> None:
    with pytest.raises(MalformedReport, match="document type"):
        read_text(content)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("<testsuite>\n<testcase name='a'>\n", "line 3", id="truncated"),
        pytest.param("<?xml version='1.0'?>\n\n<testsuite>\n<a></b></testsuite>", "line 4", id="wrong end tag"),
        pytest.param("<html><body/></html>", "<html>", id="another document"),
        pytest.param("<testsuite>&nbsp;</testsuite>", "nbsp", id="unknown entity"),
        pytest.param("<?xml version='1.0' encoding='klingon'?><testsuite/>", "not", id="unknown encoding"),
        pytest.param("<testsuite>" + "<testsuite>" * 5000, "", id="nested without end"),
    ],
)
def test_broken_xml_is_refused_with_the_place(read_text: ReadText, content: str, said: str) -> None:
    with pytest.raises(MalformedReport) as caught:
        read_text(content)

    assert said in caught.value.message
    assert "report.dat" in caught.value.message
    assert caught.value.next_step


def test_bytes_that_are_not_text_become_replacement_characters_and_a_note(read_text: ReadText) -> None:
    run = read_text(
        b"<testsuite name='s'><testcase classname='a' name='b'><failure message='caf\xe9 \x1b[31m'/></testcase>"
        b"<testcase classname='a' name='c'/></testsuite>"
    )

    failed, passed = run.results
    assert failed.last.message == "caf\ufffd \ufffd[31m"
    assert failed.last.reason == "replaced_characters"
    assert passed.last.reason == ""


def test_other_encodings_are_read_as_they_declare_themselves(read_text: ReadText) -> None:
    text = "<?xml version='1.0' encoding='{}'?><testsuite><testcase classname='a' name='café'/></testsuite>"

    for encoding in ("iso-8859-1", "utf-16", "utf-8-sig"):
        declared = encoding.removesuffix("-sig")
        assert only(read_text(text.format(declared).encode(encoding))).case.title == ("café",)
