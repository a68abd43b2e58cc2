"""What the hits of probes say. Hits are kept as one large number, with a byte for each probe at its index."""

from collections.abc import Collection, Iterable

from .probes import Probe


def bit_of(probe: Probe) -> int:
    """The hits of this probe alone."""
    return 1 << (8 * probe.index)


def hits_of(probes: Iterable[Probe], indices: Collection[int]) -> int:
    """The hits of the probes with these indices."""
    return sum(bit_of(probe) for probe in probes if probe.index in indices)


def statement_masks(probes: Iterable[Probe]) -> dict[tuple[str, int], int]:
    """The hits that show that a statement ran, by its function and its line; several statements may share a line."""
    masks: dict[tuple[str, int], int] = {}
    for probe in probes:
        if probe.kind == "statement":
            key = (probe.function, probe.line)
            masks[key] = masks.get(key, 0) | bit_of(probe)
    return masks


def coverage(probes: Iterable[Probe], hits: int) -> dict[str, object]:
    """Which lines and branches were hit, as counts, and what is missing."""
    lines: dict[int, bool] = {}
    branches, missing = [], []
    for probe in probes:
        is_hit = bool(hits & bit_of(probe))
        if probe.kind == "statement":
            lines[probe.line] = lines.get(probe.line, False) or is_hit
            continue
        if probe.kind == "branch":
            branches.append(is_hit)
        if not is_hit:
            missing.append(probe.label.replace(" ", ": ", 1))
    return {
        "lines_covered": sum(lines.values()),
        "lines_total": len(lines),
        "branches_covered": sum(branches),
        "branches_total": len(branches),
        "uncovered_lines": sorted(line for line, is_hit in lines.items() if not is_hit),
        "missing_branches": list(dict.fromkeys(missing)),
    }
