"""What `test_heal` answers: one summary line, and data that a program can use."""

from dataclasses import dataclass, field
from typing import Any

from testwright.model.heal import HealOutcome, SelectorHeal


@dataclass(frozen=True, slots=True)
class FileAnswer:
    file: str
    heals: tuple[SelectorHeal, ...] = ()  # one for each broken selector, in the order of the file
    not_reached: tuple[str, ...] = ()  # selectors that there was no time for
    notes: tuple[str, ...] = ()
    before: bytes = b""
    after: bytes = b""  # the file with every heal in it; empty: nothing to change
    sure: bytes = b""  # the file with only those heals in it that are sure enough to be applied
    applied: bool = False
    proposal: str = ""  # the id it waits under in the review queue, or was applied under
    error: dict[str, str] = field(default_factory=dict)  # the file could not be worked on

    @property
    def healed(self) -> tuple[SelectorHeal, ...]:
        return tuple(one for one in self.heals if one.outcome is HealOutcome.HEAL)

    @property
    def unhealed(self) -> tuple[SelectorHeal, ...]:
        return tuple(one for one in self.heals if one.outcome is not HealOutcome.HEAL)

    @property
    def healed_auto(self) -> int:
        return sum(one.is_sure for one in self.healed) if self.applied else 0

    @property
    def summary(self) -> dict[str, int]:
        return {
            "total_broken": len(self.heals),
            "healed_auto": self.healed_auto,
            "healed_manual": len(self.healed) - self.healed_auto,
            "unhealed": len(self.unhealed),
        }

    def shape(self) -> dict[str, Any]:
        shape: dict[str, Any] = {
            "healed": [_healed_shape(one) for one in self.healed],
            "unhealed": [one.old for one in self.unhealed],
            "summary": self.summary,
            "details": [_unhealed_shape(one) for one in self.unhealed],
            "evidence": [{"line_number": one.line, "why": one.explanation} for one in self.healed],
            "not_reached": list(self.not_reached),
            "notes": list(self.notes),
        }
        if self.applied:
            shape["updated_content"] = self.sure.decode("utf-8", errors="replace")
        if self.proposal:
            shape["proposal"] = self.proposal
        return shape


@dataclass(frozen=True, slots=True)
class HealAnswer:
    """The answer to one request: a file's, or those of a batch."""

    files: tuple[FileAnswer, ...]
    is_batch: bool = False
    not_reached: tuple[str, ...] = ()  # files that there was no time for

    @property
    def total(self) -> dict[str, int]:
        found = [one.summary for one in self.files]
        names = ("total_broken", "healed_auto", "healed_manual", "unhealed")
        return {name: sum(summary[name] for summary in found) for name in names}

    @property
    def summary(self) -> str:
        total = self.total
        healed, broken = total["healed_auto"] + total["healed_manual"], total["total_broken"]
        where = f"{len(self.files)} files" if self.is_batch else self.files[0].file
        if not broken:
            return f"No broken selectors in {where}"
        line = f"Healed {healed}/{broken} selectors in {where}"
        if total["unhealed"]:
            line += f" ({total['unhealed']} unhealed, requires manual review)"
        return line

    def shape(self) -> dict[str, Any]:
        """The data: of one file, or of all of them together with each one's own."""
        if not self.is_batch:
            return self.files[0].shape()
        return {
            "healed": [{**_healed_shape(one), "file": each.file} for each in self.files for one in each.healed],
            "unhealed": [one.old for each in self.files for one in each.unhealed],
            "summary": self.total,
            "files": [
                {"file": each.file, **({"error": each.error} if each.error else each.shape())} for each in self.files
            ],
            "not_reached": list(self.not_reached),
        }


def _healed_shape(heal: SelectorHeal) -> dict[str, Any]:
    return {
        "old_selector": heal.old,
        "new_selector": heal.new,
        "confidence": heal.confidence,
        "strategy": heal.found_by,
        "line_number": heal.line,
    }


def _unhealed_shape(heal: SelectorHeal) -> dict[str, Any]:
    return {
        "selector": heal.old,
        "line_number": heal.line,
        "reason": heal.reason,
        "explanation": heal.explanation,
        "suggestions": [
            {"selector": one.selector, "confidence": one.confidence, "why": one.why} for one in heal.suggestions
        ],
    }
