"""Names for the variables of a test: after the thing they hold, and never over something the test needs."""

import keyword
from collections.abc import Collection

from testwright.generate.inside.generated_case import SUBJECT, UNDER_TEST
from testwright.generate.writing.expression_trees import BUILTINS

# A parameter of a test with the name of a fixture would hide it; `request` may not be used at all.
_FIXTURES = """cache capfd capfdbinary caplog capsys capsysbinary doctest_namespace monkeypatch pytestconfig recwarn
    request testdir tmp_path tmp_path_factory tmpdir"""
_NEVER = BUILTINS | frozenset(keyword.kwlist) | frozenset(_FIXTURES.split()) | {UNDER_TEST, SUBJECT, "self", "cls"}


class Variables:
    """The variables of one test."""

    def __init__(self, reserved: Collection[str] = ()) -> None:
        self._taken = _NEVER | frozenset(reserved)

    def take(self, preferred: str, *, of: str = "") -> str:
        """A free name: `text`, or `basket_text` when another thing has a `text`, or `other_text`."""
        bare = preferred.strip("_") or "value"
        candidates = [bare, f"{of}_{bare}" if of else f"{bare}_", f"{bare}_", f"other_{bare}", f"further_{bare}"]
        if bare in self._taken and bare in _NEVER:
            candidates = [f"{bare}_", *candidates]
        number = 2
        while True:
            for candidate in candidates:
                if candidate.isidentifier() and candidate not in self._taken:
                    self._taken |= {candidate}
                    return candidate
            candidates = [f"{bare}_{number}"]
            number += 1
