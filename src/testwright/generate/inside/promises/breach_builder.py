"""Make a breach from what was found: where it is, what else it touches, what to do."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from testwright.generate.inside.generated_case import Case, Check
from testwright.generate.inside.module_under_test import ModuleUnderTest
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.inside.promises.limited_run import judged
from testwright.generate.inside.units import Unit, is_private
from testwright.instrument.syntax_names import last_name

_RELATED_SHOWN = 6


@dataclass(frozen=True)
class Promise:
    """A promise as it is written, and where."""

    text: str
    line: int


class BreachBuilder:
    def __init__(self, under_test: ModuleUnderTest, units: Mapping[str, Unit]) -> None:
        self._under_test, self._units = under_test, units
        self._callers = _callers(units)

    def _place(self, line: int) -> str:
        return f"{self._under_test.file}:{line}"

    def breach(
        self,
        unit: Unit,
        case: Case,
        promise: Promise,
        *,
        symptom: str,
        actual: str,
        suggestion: str,
        expected: tuple[Check, ...] = (),
        property_source: str = "",
        setup: tuple[str, ...] = (),
        line: int = 0,
        related: tuple[str, ...] = (),
    ) -> Breach:
        """The whole breach; `line` is where it goes wrong, when that is known."""
        return Breach(
            unit=unit.qualname,
            symptom=symptom,
            promise=promise.text,
            promised_at=self._place(promise.line),
            where=self._place(line or self._last_return(unit, case)),
            case=case,
            expected=expected,
            property_source=property_source,
            actual=actual,
            imports=self._imports(case, expected, property_source),
            parameters=tuple(parameter.name for parameter in unit.parameters),
            related=tuple(dict.fromkeys([*related, *self._related(unit)]))[:_RELATED_SHOWN],
            risk=self._risk(unit),
            suggestion=suggestion,
            setup=setup,
        )

    def _last_return(self, unit: Unit, case: Case) -> int:
        """The line of the `return` that gave the result, or the line of the definition where that is unknown."""
        node = unit.node
        if node is None:
            return 1
        lines = {each.lineno for each in ast.walk(node) if isinstance(each, ast.Return)}
        hits = judged(self._under_test, case, lambda _: self._under_test.recorder.hits(), b"")
        passed = [
            probe.line
            for probe in self._under_test.twin.probes
            if probe.kind == "statement" and probe.line in lines and probe.index < len(hits) and hits[probe.index]
        ]
        return passed[-1] if passed else node.lineno

    def _imports(self, case: Case, expected: Sequence[Check], property_source: str) -> tuple[str, ...]:
        texts = [argument.value for call in case.calls for argument in call.arguments]
        texts += [call.callee for call in case.calls] + [check.expected for check in expected]
        if property_source:
            texts.append(f"(lambda result, argument: {property_source})")
        names: dict[str, None] = {}
        for text in texts:
            try:
                names.update(dict.fromkeys(self._under_test.namespace.imports(text)))
            except (ImportError, SyntaxError):  # a name that the setup of an example binds, or literal text
                continue
        return tuple(sorted(names))

    def _related(self, unit: Unit) -> tuple[str, ...]:
        name = unit.qualname.rpartition(".")[2]
        called = (
            {last_name(node.func) for node in ast.walk(unit.node) if isinstance(node, ast.Call)} if unit.node else set()
        )
        callees = [
            qualname
            for qualname in self._units
            if qualname.rpartition(".")[2] in called and qualname != unit.qualname and not qualname.endswith(f".{name}")
        ]
        owner = unit.qualname.rpartition(".")[0]
        siblings = [
            each for each in self._units if owner and each.rpartition(".")[0] == owner and each != unit.qualname
        ]
        return tuple(dict.fromkeys([*self._callers.get(unit.qualname, ()), *callees, *siblings]))

    def _risk(self, unit: Unit) -> str:
        callers = self._callers.get(unit.qualname, ())
        who = f"{', '.join(callers[:3])} of the same module" if callers else ""
        if is_private(unit.qualname):
            return f"Private to its module{f': reached through {who}' if who else ''}."
        return f"Public: anyone who relies on what is written is affected{f', and so is {who}' if who else ''}."


def _callers(units: Mapping[str, Unit]) -> dict[str, list[str]]:
    """By unit, the units whose source calls something of its name."""
    by_name: dict[str, list[str]] = {}
    for qualname in units:
        by_name.setdefault(qualname.rpartition(".")[2], []).append(qualname)
    found: dict[str, list[str]] = {}
    for qualname, unit in units.items():
        if unit.node is None or isinstance(unit.node, ast.ClassDef):
            continue
        called = dict.fromkeys(last_name(node.func) for node in ast.walk(unit.node) if isinstance(node, ast.Call))
        for name in called:
            for each in by_name.get(name, ()):
                if each != qualname and qualname not in found.setdefault(each, []):
                    found[each].append(qualname)
    return found
