"""Values for parameters without annotations, from what the code does with them."""

import pytest

from tests.generate.inside.values.conftest import Laboratory

RETURNS = object()


@pytest.mark.parametrize(
    "body",
    [
        "return value.upper() + value.strip('x')",
        "return [key + '=' for key in value.keys()], value.get('name')",
        "value.append(1); return value",
        "return sum(each * 2 for each in value)",
        "return value['name'].upper(), value['count'] + 1",
        "return value(1, 2)",
        "return value.read().splitlines()",
        "return int(value) + 1",
        "return json.loads(value)['key']",
        "return datetime.date.fromisoformat(value)",
        "return value.strftime('%Y'), value.date()",
        "first, second, third = value; return third",
        "return [name.title() for name in value]",
        "return value.decode('ascii')",
        "return value.first + value.second",
        "return helper(value)",
        "return re.match(r'(\\d+)-(\\w+)$', value).group(2)",
        "return issubclass(value, int)",
        "return value.exists(), value.suffix",
        "return {k: v.strip() for k, v in value.items()}",
    ],
)
def test_a_value_is_found_that_the_body_accepts(lab: Laboratory, body: str) -> None:
    """Given a body that only one kind of value passes, when the first ten are tried, then one of them returns."""
    made = lab(
        "import datetime, json, pathlib, re\n"
        "def helper(inner):\n    return inner.rstrip('!').splitlines()\n"
        f"def take(value):\n    {body}\n"
    )
    outcomes = made.results("take", 10)
    assert any(not isinstance(each, Exception) for each in outcomes), list(
        zip(made.calls("take", 10), outcomes, strict=True)
    )


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ("value == 'wanted'", "wanted"),
        ("value in ('one', 'two')", "two"),
        ("value in TABLE", "key"),
        ("TABLE[value] == 3", "other"),
        ("value.startswith('--')", "--"),
        ("'::' in value", "::"),
        ("value > 99", 100),
        ("value == LIMIT - 0 or value == LIMIT", 17),
        ("len(value) == 7", 7),
        ("isinstance(value, Special)", "Special"),
        ("type(value) is bytes", "bytes"),
        ("hasattr(value, 'quack')", "quack"),
        ("getattr(Options, value)", "verbose"),
        ("value is None", None),
    ],
)
def test_values_are_found_that_pass_the_tests_of_the_code(lab: Laboratory, condition: str, wanted: object) -> None:
    made = lab(
        "TABLE = {'key': 1, 'other': 3}\nLIMIT = 17\n"
        "class Special:\n    pass\n"
        "class Options:\n    verbose = True\n"
        f"def take(value):\n    if {condition}:\n        return 'reached'\n    return 'passed by'\n"
    )
    assert "reached" in made.results("take", 40), (wanted, made.values("take", 40))


def test_lists_of_the_lengths_that_the_code_names_are_given(lab: Laboratory) -> None:
    made = lab("""
        BLOCK = 16
        def rotate(block):
            if len(block) % BLOCK:
                raise ValueError("whole blocks only")
            return block[8:] + block[:8]
        def quad(box):
            left, top, right, bottom = box
            return right - left, bottom - top
    """)
    assert any(not isinstance(each, Exception) and len(each) == 16 for each in made.results("rotate", 40))
    assert not isinstance(made.results("quad", 1)[0], Exception)


def test_what_a_constructor_keeps_is_known_from_the_other_methods(lab: Laboratory) -> None:
    made = lab("""
        class Report:
            def __init__(self, rows):
                self.rows = rows
            def names(self):
                return [row["name"].upper() for row in self.rows]
    """)
    assert any(
        not isinstance(made.outcome(f"({subject}).names()"), Exception) and "name" in subject
        for subject in made.subjects("Report")
    )


def test_nothing_that_could_touch_this_machine_is_given_for_a_path(lab: Laboratory) -> None:
    made = lab("""
        import os, shutil
        def clean(path, target_dir="."):
            if os.path.exists(path):
                shutil.rmtree(path)
            os.makedirs(target_dir)
            return open(path)
    """)
    values = [value for call in made.calls("clean", 300) for value in [call.partition("(")[2]]]
    assert any("tmp_path" in value for value in values)
    assert not any(value.startswith(('"/', '"..', '"~')) for value in values)
