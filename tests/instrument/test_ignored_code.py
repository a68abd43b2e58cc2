"""What is neither probed nor mutated."""

import ast

import pytest

from testwright.instrument.ignored_code import is_never_tested, is_stub, is_unwanted, unwanted_lines


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x = 1  # pragma: no cover", True),
        ("x = 1  #pragma:no cover", True),
        ("x = 1  # PRAGMA: NO COVER", True),
        ("x = 1  # pragma: no mutate", False),
        ("x = '\x0c'  # pragma: no cover", True),
        ("x = 1  # no cover", False),
        ("pragma = 'no cover'", False),
        ("x = 'pragma: no cover'", False),
        ("x = 1  # pragma: no covering", False),
    ],
)
def test_a_comment_says_that_a_line_is_not_wanted(line: str, expected: bool) -> None:
    assert (unwanted_lines(f"first = 0\n{line}\n") == {2}) is expected


def test_a_line_may_be_left_out_for_mutants_alone() -> None:
    assert unwanted_lines("x = 1  # pragma: no mutate\ny = 1  # pragma: no cover\n", for_mutants=True) == {1, 2}


def statement(source: str) -> ast.stmt:
    return ast.parse(source).body[0]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("if a:  # pragma: no cover\n    b = 1\n", True),
        ("if (a and\n        b):  # pragma: no cover\n    b = 1\n", True),
        ("if a:\n    b = 1  # pragma: no cover\n", False),
        ("@decorated  # pragma: no cover\ndef f():\n    pass\n", True),
        ("call(a,  # pragma: no cover\n     b)\n", True),
        ("match a:  # pragma: no cover\n    case 1:\n        b = 1\n", True),
        ("match a:\n    case 1:  # pragma: no cover\n        b = 1\n", False),
        ("if a: b = 1  # pragma: no cover\n", True),
    ],
)
def test_the_comment_on_its_first_lines_leaves_out_the_whole_statement(source: str, expected: bool) -> None:
    assert is_unwanted(statement(source), unwanted_lines(source)) is expected


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("TYPE_CHECKING", True),
        ("typing.TYPE_CHECKING", True),
        ("__name__ == '__main__'", True),
        ("'__main__' == __name__", True),
        ("typing.CHECKING", False),
        ("CHECKING", False),
        ("__name__ == 'other'", False),
        ("name == '__main__'", False),
        ("a < b < c", False),
        ("f()", False),
    ],
)
def test_conditions_that_no_test_fulfils_are_known(test: str, expected: bool) -> None:
    assert is_never_tested(ast.parse(test, mode="eval").body) is expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("@overload\ndef f(a): return 1", True),
        ("@typing.overload\ndef f(a): return 1", True),
        ("def f(): ...", True),
        ("def f():\n    'Doc.'\n    ...", True),
        ("async def f(): ...", True),
        ("@abstractmethod\ndef f(): pass", True),
        ("@abc.abstractmethod\ndef f():\n    'Doc.'", True),
        ("@abstractmethod\ndef f():\n    'Doc.'\n    raise NotImplementedError", True),
        ("@abstractmethod\ndef f(): raise NotImplementedError('f')", True),
        ("@abstractmethod\ndef f(): return 1", False),
        ("@abstractmethod\ndef f(): raise ValueError", False),
        ("@abstractmethod\ndef f():\n    'Doc.'\n    x = 1\n    return x", False),
        ("def f(): pass", False),
        ("def f():\n    'Doc.'", False),
        ("def f(): raise NotImplementedError", False),
        ("@other('overload')\ndef f(): return 1", False),
        ("@(lambda g: g)\ndef f(): return 1", False),
    ],
)
def test_functions_that_only_say_what_others_do_are_known(source: str, expected: bool) -> None:
    node = statement(source)
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)

    assert is_stub(node) is expected
