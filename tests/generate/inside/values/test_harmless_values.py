"""No input may name a place of this machine: the code that gets it might delete what is there.

Nothing here is evaluated; the inputs are only made and looked at.
"""

import ast
import itertools
import random
import re

import pytest

from tests.generate.inside.values.conftest import Lab, Laboratory
from testwright.generate.inside.values.harmless_values import is_harmless

DANGEROUS_CODE = '''
    import os as real_os, pathlib, types
    os = types.SimpleNamespace(chmod=None, path=real_os.path)
    shutil = types.SimpleNamespace(rmtree=None)

    ROOT = "/"
    HOME = pathlib.Path("/somewhere")
    CACHE = "~/.cache"
    PLACES = ["/var/lib", "data"]
    SEPARATORS = {"/": 1, "..": 2, ".": 3}

    def remove(path):
        """Remove a tree.

        >>> remove("/usr/share/thing")
        :param path: for example '/opt' or "~/old"
        """
        if path == "/" or path.startswith("/etc") or path in SEPARATORS or path == ROOT:
            raise ValueError(path)
        for part in path.split("/"):
            os.chmod(part, 0)
        shutil.rmtree(path)

    def wipe(target, name="/", where=HOME, *others, base_dir="."):
        if target.endswith("/") or "../" in target:
            return SEPARATORS[target]
        return shutil.rmtree(os.path.join(target, name))

    def typed(place: "pathlib.Path | str", places: list[pathlib.Path], text: str = CACHE):
        return open(place)

    class Cleaner:
        def __init__(self, folder, prefix="/tmp/x"):
            self.folder = folder
        def clean(self):
            shutil.rmtree(self.folder)

    def caller():
        return remove("/root"), typed(HOME, [], ROOT)
'''
"""Its functions are never called: the inputs for them are only made."""

OUTSIDE = re.compile(r"^\s*(/|~|\.\.?(/|$))|(^|/)\.\.(/|$)")


def everything_made(made: Lab) -> list[str]:
    """Each argument of each list and subject, some generations of its neighbours, and their simpler forms."""
    rng = random.Random("harm")
    hints = ["/", "/etc", "..", "~", ".", 0, 1, "a/b"]
    found: list[str] = []
    for unit in made.units.values():
        lists = list(itertools.islice(made.inputs.first_arguments(unit), 400))
        subjects = itertools.islice(made.inputs.first_subjects(unit.owner), 60) if unit.owner is not None else ()
        lists += [call.arguments for call in subjects]
        for arguments in lists:
            found += [each.value for each in arguments]
        for arguments in lists[:80]:
            varied = arguments
            for _ in range(6):
                varied = made.inputs.vary_arguments(unit, varied, rng, hints)
                found += [each.value for each in varied]
            for argument in varied:
                found += itertools.islice(made.inputs.shrink(argument.value), 40)
    return found


def texts_in(expression: str) -> list[str]:
    values = [node.value for node in ast.walk(ast.parse(expression, mode="eval")) if isinstance(node, ast.Constant)]
    return [each for each in values if isinstance(each, str)]


def test_nothing_that_is_made_names_a_place_outside_the_folder_of_the_test(lab: Laboratory) -> None:
    harvested = {"remove": ["remove('/srv')", "remove(os.getcwd())", "remove(Path.home())", "remove(ROOT)"]}
    expressions = everything_made(lab(DANGEROUS_CODE, harvested))
    assert len(expressions) > 5000
    for expression in expressions:
        assert not any(OUTSIDE.search(each) for each in texts_in(expression)), expression
        for name in (
            "_under_test.HOME",
            "_under_test.ROOT",
            "_under_test.CACHE",
            "_under_test.PLACES",
            "getcwd",
            "home",
        ):
            assert name not in expression


def test_a_path_gets_only_what_is_in_the_folder_of_the_test_or_is_no_path(lab: Laboratory) -> None:
    """A bare name would be a file of the current folder, an empty text the folder itself, a number an open file."""
    values = lab(DANGEROUS_CODE).values("remove", 400)
    assert 'tmp_path / "data.txt"' in values
    for value in values:
        assert "tmp_path" in value or not (texts_in(value) or re.fullmatch(r"-?\d+|True|False", value)), value


def test_a_path_stays_one_of_the_test_when_it_is_varied_or_shrunk(lab: Laboratory) -> None:
    inputs = lab(DANGEROUS_CODE).inputs
    rng = random.Random("stay")
    value = 'str(tmp_path / "data.txt")'
    for _ in range(500):
        value = inputs.vary(value, rng, ["/", "..", "etc"], str)
        assert "tmp_path" in value or value == "None"
        for simpler in inputs.shrink(value):
            assert "tmp_path" in simpler or simpler == "None" or value == "None"
        if value == "None":
            value = 'str(tmp_path / "data.txt")'


def test_shrinking_does_not_uncover_a_place(lab: Laboratory) -> None:
    inputs = lab("").inputs
    for expression in ('"a/b/c"', '"x~"', '"a.."', '["https://example.com/etc"]', '"a\\n/b"'):
        for simpler in inputs.shrink(expression):
            assert not any(OUTSIDE.search(each) for each in texts_in(simpler)), simpler


@pytest.mark.parametrize(
    "expression",
    [
        '"/"',
        '" /etc"',
        '"~"',
        '"~/x"',
        '"."',
        '".."',
        '"../x"',
        '"a/../../b"',
        '"file:///x"',
        '"C:/x"',
        'b"/"',
        '["/a"]',
        'pathlib.Path("/")',
        'tmp_path / ".."',
        'tmp_path / "a/b"',
        "tmp_path.parent",
        "pathlib.Path.home()",
        "os.getcwd()",
        "shutil.rmtree",
        'open("x")',
        "__file__",
        'f"/{1}"',
        '"/" + "etc"',
        "_under_test.HOME",
        "_under_test.real_os",
    ],
)
def test_expressions_that_lead_out_are_refused(lab: Laboratory, expression: str) -> None:
    assert not is_harmless(expression, lab(DANGEROUS_CODE).module)


@pytest.mark.parametrize(
    "expression",
    [
        '"https://example.com/path"',
        '".hidden"',
        '"1.2.3"',
        '"a/b"',
        '"\\\\d+"',
        'tmp_path / "data.txt"',
        "lambda x: x",
        "[1, 2]",
    ],
)
def test_ordinary_expressions_are_not(lab: Laboratory, expression: str) -> None:
    assert is_harmless(expression, lab(DANGEROUS_CODE).module)
