"""Docstrings are read as promises, each with the line it stands on."""

import ast
from textwrap import dedent

from testwright.generate.inside.promises.docstring_reader import (
    DocstringPromises,
    DocstringText,
    docstring_lines,
    read_docstring,
)


def _read(source: str) -> DocstringPromises:
    node = ast.parse(dedent(source).lstrip("\n")).body[0]
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)
    return read_docstring(node)


def test_fields_of_rest_style_are_read() -> None:
    found = _read(
        '''
        def f(a, b):
            """Do it.

            :param int a: the first
            :type b: list of str
            :returns: the thing
                in lower case
            :rtype: str
            :raises ValueError: if a is negative
            :raises ~shop.errors.Missing: when b is empty
            """
        '''
    )

    assert {name: said.text for name, said in found.types.items()} == {"a": "int", "b": "list of str"}
    assert found.returns == [DocstringText("the thing in lower case", 6)]
    assert found.result_type == DocstringText("str", 8)
    assert [(each.exception, each.condition) for each in found.raises] == [
        ("ValueError", DocstringText("if a is negative", 9)),
        ("shop.errors.Missing", DocstringText("when b is empty", 10)),
    ]


def test_sections_of_google_style_are_read() -> None:
    found = _read(
        '''
        def f(a, b):
            """Do it.

            Args:
                a (int): the first
                b (str, optional): the second

            Returns:
                list of str: the names. Never empty.

            Raises:
                ValueError: If a is
                    negative.
                KeyError: If b is missing.
            """
        '''
    )

    assert {name: said.text for name, said in found.types.items()} == {"a": "int", "b": "str, optional"}
    assert found.result_type == DocstringText("list of str", 9)
    assert found.returns == [DocstringText("the names.", 9), DocstringText("Never empty.", 9)]
    assert [(each.exception, each.condition.text) for each in found.raises] == [
        ("ValueError", "If a is negative."),
        ("KeyError", "If b is missing."),
    ]


def test_sections_of_numpy_style_are_read() -> None:
    found = _read(
        '''
        def f(a, b):
            """Do it.

            Parameters
            ----------
            a, b : int
                Two numbers.

            Returns
            -------
            total : float
                Always positive.

            Raises
            ------
            ValueError
                If a is negative.

            Notes
            -----
            Returns nothing of note.
            """
        '''
    )

    assert {name: said.text for name, said in found.types.items()} == {"a": "int", "b": "int"}
    assert found.result_type == DocstringText("float", 11)
    assert found.returns == [DocstringText("Always positive.", 12)]
    assert [(each.exception, each.condition) for each in found.raises] == [
        ("ValueError", DocstringText("If a is negative.", 17))
    ]


def test_several_returned_things_in_numpy_style_promise_no_single_type() -> None:
    found = _read(
        '''
        def f():
            """Do it.

            Returns
            -------
            low : int
                The low end.
            high : int
                The high end.
            """
        '''
    )

    assert found.result_type is None


def test_prose_is_cut_into_sentences_and_examples_are_left_out() -> None:
    found = _read(
        '''
        def f(a):
            """Return the sum. Raises ValueError
            if a is negative. For example::

                Returns None if it likes.

            >>> f(1)
            Returns 1. Sorted.

            The end.
            """
        '''
    )

    assert found.prose == [
        DocstringText("Return the sum.", 2),
        DocstringText("Raises ValueError if a is negative.", 2),
        DocstringText("For example::", 3),
        DocstringText("The end.", 10),
    ]


def test_a_definition_without_a_docstring_promises_nothing() -> None:
    found = _read("def f(a):\n    return 'text'\n")

    assert found == DocstringPromises()
    assert docstring_lines(None) == []
