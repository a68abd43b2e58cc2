"""From code that breaks its own word to a failing test and a note, and to silence once the code is mended."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from testwright.generate.engine import generate_module
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.module_request import Budget, ModuleRequest
from testwright.generate.writing.bug_test_and_note import write_bug_note, write_bug_test
from testwright.isolate.available_levels import probe_levels
from testwright.isolate.child import Cancel
from testwright.repo.import_map import resolve_import

_CPU_SECONDS = 1
_HEADINGS = (
    "Title",
    "Summary",
    "Steps to Reproduce",
    "Expected vs Actual",
    "Suspected root-cause (file:line)",
    "Related methods/tests",
    "Risk/Blast radius",
    "Suggested fix sketch",
)


@dataclass(frozen=True)
class Defect:
    """A module as it should be, and the change to it that breaks a promise."""

    name: str
    unit: str
    """What breaks its word."""
    source: str
    right: str
    wrong: str

    @property
    def fixed(self) -> str:
        return dedent(self.source).lstrip()

    @property
    def broken(self) -> str:
        assert self.fixed.count(self.right) == 1
        return self.fixed.replace(self.right, self.wrong)


DEFECTS = (
    Defect(
        "an_example_that_gives_something_else",
        "initials",
        '''
        """Names."""


        def initials(name: str) -> str:
            """The initials of a name.

            >>> initials("Ada Lovelace")
            'A.L.'
            >>> initials("")
            \'\'
            """
            return "".join(f"{part[0]}." for part in name.split())
        ''',
        'f"{part[0]}."',
        'f"{part[0]}"',
    ),
    Defect(
        "an_example_on_an_object",
        "Counter.most_common",
        '''
        """Counting."""


        class Counter:
            """Counts words."""

            def __init__(self) -> None:
                self._counts: dict[str, int] = {}

            def add(self, word: str) -> None:
                """Count a word once more."""
                self._counts[word] = self._counts.get(word, 0) + 1

            def most_common(self) -> str:
                """The word that was added most often.

                >>> counter = Counter()
                >>> counter.add("a")
                >>> counter.add("b")
                >>> counter.add("b")
                >>> counter.most_common()
                'b'
                """
                return max(self._counts, key=lambda word: self._counts[word])
        ''',
        "max(self._counts",
        "min(self._counts",
    ),
    Defect(
        "a_documented_exception_that_does_not_come",
        "square_root",
        '''
        """Roots."""


        def square_root(number: float) -> float:
            """The square root of a number.

            :param number: any number that is not negative
            :raises ValueError: if number is negative
            """
            if number < 0:
                raise ValueError("a negative number has no root")
            return abs(number) ** 0.5
        ''',
        "if number < 0:",
        "if number < -1000:",
    ),
    Defect(
        "another_exception_than_documented",
        "first_word",
        '''
        """Words."""


        def first_word(text: str) -> str:
            """The first word of a text.

            Raises:
                ValueError: If text is empty.
            """
            if not text:
                raise ValueError("no words")
            return text.split(" ")[0] if text.strip() else text[0]
        ''',
        """    if not text:
        raise ValueError("no words")
""",
        "",
    ),
    Defect(
        "none_in_place_of_text",
        "grade",
        '''
        """Grades."""


        def grade(points: int) -> str:
            """The grade for a number of points."""
            if points >= 90:
                return "good"
            if points >= 50:
                return "fair"
            return "poor"
        ''',
        'return "poor"',
        "return None",
    ),
    Defect(
        "not_sorted",
        "distinct_tags",
        '''
        """Tags."""


        def distinct_tags(tags: list[str]) -> list[str]:
            """Clean tags up.

            Parameters
            ----------
            tags : list of str
                What people typed.

            Returns
            -------
            list of str
                The tags in lower case, in alphabetical order.
            """
            return sorted({tag.strip().lower() for tag in tags})
        ''',
        "return sorted({tag.strip().lower() for tag in tags})",
        "return [tag.strip().lower() for tag in tags]",
    ),
    Defect(
        "an_argument_that_is_changed",
        "with_defaults",
        '''
        """Settings."""


        def with_defaults(settings: dict[str, int], defaults: dict[str, int]) -> dict[str, int]:
            """Fill in what is missing. Neither argument is special, and settings is not modified."""
            filled = dict(settings)
            for name, value in defaults.items():
                filled.setdefault(name, value)
            return filled
        ''',
        "filled = dict(settings)",
        "filled = settings",
    ),
    Defect(
        "a_name_without_a_value",
        "longest",
        '''
        """Lengths."""


        def longest(words: list[str]) -> str:
            """The longest of the words."""
            best = ""
            for word in words:
                if len(word) > len(best):
                    best = word
            return best
        ''',
        """    best = ""
    for word in words:
        if len(word) > len(best):
            best = word
""",
        """    for word in words:
        best = word
""",
    ),
    Defect(
        "a_round_trip_that_loses_something",
        "unescape",
        '''
        """Escaping."""


        def escape(text: str) -> str:
            """Make text safe for one line."""
            return text.replace("%", "%25").replace(" ", "%20").replace("\\n", "%0A")


        def unescape(text: str) -> str:
            """The inverse of escape."""
            return text.replace("%0A", "\\n").replace("%20", " ").replace("%25", "%")
        ''',
        '.replace("%20", " ").replace("%25", "%")',
        '.replace("%25", "%")',
    ),
    Defect(
        "not_idempotent",
        "normalize_path",
        '''
        """Paths."""


        def normalize_path(path: str) -> str:
            """One spelling for a path. Idempotent: what is normal already stays as it is."""
            parts = [part for part in path.split("/") if part]
            return "/" + "/".join(parts)
        ''',
        'parts = [part for part in path.split("/") if part]',
        'parts = path.split("/")',
    ),
    Defect(
        "equal_objects_with_other_hashes",
        "Tag",
        '''
        """Tags."""


        class Tag:
            """A tag, whatever its case."""

            def __init__(self, name: str) -> None:
                self.name = name

            def __eq__(self, other: object) -> bool:
                return isinstance(other, Tag) and self.name.lower() == other.name.lower()

            def __hash__(self) -> int:
                return hash(self.name.lower())
        ''',
        "hash(self.name.lower())",
        "hash(self.name)",
    ),
    Defect(
        "a_documented_value_for_nothing",
        "mean",
        '''
        """Statistics."""


        def mean(numbers: list[float]) -> float:
            """The arithmetic mean.

            Returns 0 if numbers is empty.
            """
            if not numbers:
                return 0
            return sum(numbers) / len(numbers)
        ''',
        """    if not numbers:
        return 0
""",
        "",
    ),
    Defect(
        "longer_than_promised",
        "shorten",
        '''
        """Texts."""


        def shorten(text: str, limit: int) -> str:
            """Cut a text.

            Args:
                text (str): Any text.
                limit (int): How much is left.

            Returns:
                str: The text, at most limit characters of it.
            """
            if len(text) <= limit:
                return text
            return text[: limit - 1] + "…" if limit > 0 else ""
        ''',
        'text[: limit - 1] + "…"',
        'text[:limit] + "…"',
    ),
    Defect(
        "out_of_range",
        "similarity",
        '''
        """Likeness."""


        def similarity(first: str, second: str) -> float:
            """How alike two words are.

            :returns: a number between 0 and 1
            :rtype: float
            """
            both = set(first) & set(second)
            all_of_them = len(set(first)) + len(set(second))
            return 2 * len(both) / all_of_them if both else 0.0
        ''',
        "len(set(first)) + len(set(second))",
        "len(set(first))",
    ),
)


@pytest.fixture(scope="session", params=DEFECTS, ids=lambda defect: defect.name)
def defect(request: pytest.FixtureRequest) -> Defect:
    found: Defect = request.param
    return found


def _found_in(source: str, folder: Path) -> tuple[Breach, ...]:
    """What the engine finds, with the explored code in its sandbox."""
    file = folder / "subject_module.py"
    file.write_text(source, encoding="utf-8")
    python = Path(sys.executable)
    request = ModuleRequest(
        file=file,
        import_map=resolve_import(file, root=folder, python=python),
        python=python,
        root=folder,
        budget=Budget.of(_CPU_SECONDS),
        level=probe_levels().strongest,
    )
    return generate_module(request, lambda _: None, Cancel()).broken_promises


@pytest.fixture(scope="session")
def broken(defect: Defect, tmp_path_factory: pytest.TempPathFactory) -> tuple[Breach, ...]:
    """What is found in the module with the defect."""
    return _found_in(defect.broken, tmp_path_factory.mktemp("broken"))


def _passes(test: Path, module: str, folder: Path) -> bool:
    (folder / "subject_module.py").write_text(module, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(test)]
    environment = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=folder)
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    return ran.returncode == 0


def test_a_broken_promise_becomes_a_test_that_fails_now_and_passes_once_it_is_mended(
    defect: Defect, broken: tuple[Breach, ...], tmp_path: Path
) -> None:
    assert broken, "nothing was found"
    for promise in broken:
        written = write_bug_test(promise, "import subject_module as _under_test", "subject_module")
        test = tmp_path / written.file_name
        test.write_text(written.text, encoding="utf-8")

        assert written.file_name.startswith("test_bug_")
        assert not _passes(test, defect.broken, tmp_path), written.text
        assert _passes(test, defect.fixed, tmp_path), written.text


def test_the_note_says_which_promise_is_broken_and_where_it_is_written(
    defect: Defect, broken: tuple[Breach, ...]
) -> None:
    for promise in broken:
        note = write_bug_note(
            promise, "import subject_module as _under_test", "subject_module", test_file="tests/test_bug.py"
        ).text

        assert all(f"## {heading}\n" in note for heading in _HEADINGS)
        file, line = promise.promised_at.rsplit(":", 1)
        assert file == "subject_module.py"
        assert promise.unit == defect.unit
        assert 1 <= int(line) <= len(defect.broken.splitlines())
        assert promise.where.startswith("subject_module.py:")
        assert promise.suggestion
        assert promise.risk


def test_nothing_is_said_against_code_that_keeps_its_word(defect: Defect, tmp_path: Path) -> None:
    assert _found_in(defect.fixed, tmp_path) == ()


def test_the_same_code_gives_the_same_finds(tmp_path: Path) -> None:
    defect = DEFECTS[0]

    assert _found_in(defect.broken, tmp_path) == _found_in(defect.broken, tmp_path)
