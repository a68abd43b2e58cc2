"""Cases and checks as JSON, for the way between the explorer and our own process."""

from typing import Any

from testwright.generate.inside.generated_case import Argument, Call, Case, Check, Relation, Use


def case_as_json(case: Case) -> dict[str, Any]:
    return {
        "unit": case.unit,
        "action": _call_as_json(case.action),
        "use": case.use.value,
        "subject": _call_as_json(case.subject) if case.subject else None,
        "before": [_call_as_json(call) for call in case.before],
    }


def case_from_json(data: dict[str, Any]) -> Case:
    return Case(
        unit=data["unit"],
        action=_call_from_json(data["action"]),
        use=Use(data["use"]),
        subject=_call_from_json(data["subject"]) if data["subject"] else None,
        before=tuple(_call_from_json(call) for call in data["before"]),
    )


def checks_as_json(checks: tuple[Check, ...]) -> list[list[str]]:
    return [[check.of, check.path, check.relation.value, check.expected] for check in checks]


def checks_from_json(data: list[list[str]]) -> tuple[Check, ...]:
    return tuple(Check(of, path, Relation(relation), expected) for of, path, relation, expected in data)


def _call_as_json(call: Call) -> dict[str, Any]:
    return {"callee": call.callee, "arguments": [[each.name, each.value] for each in call.arguments]}


def _call_from_json(data: dict[str, Any]) -> Call:
    return Call(data["callee"], tuple(Argument(name, value) for name, value in data["arguments"]))
