"""What a heal costs, and how good heals are: elements found again on pages that really changed, by a scorer not ours.

Pages for the cost are made here. The pairs of real pages and their scorer lie in a folder that is no part of this
repository.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.measure import Figure, compared, wall
from bench.running import TESTWRIGHT, playwright_project
from bench.synthetic_pages import page_of, redesigned
from testwright.heal.engine.element_fingerprint import fingerprint_of
from testwright.heal.engine.heal_decision import decide
from testwright.model.heal import HealOutcome

SCORER = "score.py"
_TURNS = 9
_HOW_TO_GIVE_IT = """\
healing: how good heals are was not measured. It needs a folder with score.py, pages/ and pairs-*.jsonl.
Name it with: make bench HEAL=DIR, or: python -m bench healing --heal DIR"""
# The least that is healed and found first, in percent, by set.
_TARGETS = {"archive": (55, 94), "versions": (72, 97)}


def configure(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--heal", type=Path, metavar="DIR", help="the folder with the scorer, its pages and pairs")


def figures(folder: Path, options: argparse.Namespace) -> Iterator[Figure]:
    yield Figure("a heal on a page of 2,000 elements, CPU", _heal_ms(2_000), 25, " ms")
    seconds, megabytes = _big_page()
    yield Figure("a heal on a page of 50,000 elements, CPU", seconds, 3, " s")
    yield Figure("the same, memory", megabytes, 300, " MB")
    yield _green_suite(folder / "playwright-100")
    if options.heal is None:
        print(_HOW_TO_GIVE_IT, flush=True)
        return
    yield from _scored(options.heal.absolute())


def _green_suite(project: Path) -> Figure:
    """What healing costs where nothing is to be healed.

    The first run after a test file is new, has changed or was last recorded a week ago is traced, and costs more; it
    is made before anything is measured, and told in the detail.
    """
    env = playwright_project(project, 100)
    plain, healing = [str(TESTWRIGHT), "run", "--no-auto-heal"], [str(TESTWRIGHT), "run"]
    wall(plain, project, env=env)
    recording = wall(healing, project, env=env) / wall(plain, project, env=env)
    seen = compared(lambda: wall(plain, project, env=env), lambda: wall(healing, project, env=env), rounds=3)
    detail = f"({seen.second:.1f} s / {seen.first:.1f} s); a run that records takes {recording:.2f}x"
    return Figure("healing on over off, 100 passing Playwright tests", seen.ratio, 1.10, "x", detail=detail)


def _heal_ms(size: int) -> float:
    """The median of several heals, each with the old page known and nothing worked out before."""
    old = page_of(size)
    new = redesigned(old)
    buttons = [each.number for each in old.elements if each.tag == "button" and each.get("aria-label")]
    times = []
    for turn in range(_TURNS):
        fingerprint = fingerprint_of(old, buttons[turn * len(buttons) // _TURNS])
        started = time.process_time()
        decision = decide(replace(fingerprint, page=replace(old)), replace(new), action="click")
        times.append((time.process_time() - started) * 1000)
        if decision.outcome is not HealOutcome.HEAL or decision.element != fingerprint.element.number:
            raise SystemExit(f"A heal that is plain was not made: {decision.explanation}")
    return sorted(times)[_TURNS // 2]


def _big_page() -> tuple[float, float]:
    """In a process of its own, so that the memory is that of the heal: both pages, and all that is worked out."""
    done = subprocess.run([sys.executable, "-m", "bench.healing"], capture_output=True, text=True, check=True)
    seconds, megabytes = done.stdout.split()
    return float(seconds), float(megabytes)


def _scored(folder: Path) -> Iterator[Figure]:
    command = [
        sys.executable,
        folder / SCORER,
        "--data",
        folder,
        "--json",
        "-",
        "--",
        TESTWRIGHT,
        "heal",
        "match",
        "--jsonl",
    ]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True)
    report: dict[str, Any] = json.loads(done.stdout)
    for name, (healed, first) in _TARGETS.items():
        found = report["sets"].get(name)
        if found is None:
            continue
        bound = f"of {found['n']}; the true rate is below {100 * found['wrong_heal_rate_upper95']:.1f} % (95 % sure)"
        yield Figure(f"{name}: wrong heals", found["wrong_heals"], 0, "", detail=bound)
        yield Figure(f"{name}: heals of removed elements", found["removed_heals"], 0, "")
        yield Figure(f"{name}: the same, with twins on the page", found["twins_kept_heals"], 0, "")
        yield Figure(f"{name}: healed", 100 * found["healed"], healed, " %", at_least=True)
        yield Figure(f"{name}: found first", 100 * found["at1"], first, " %", at_least=True)


def _measure_big_page() -> None:
    old = page_of(50_000)
    new = redesigned(old)
    number = next(each.number for each in old.elements if each.tag == "button" and each.get("aria-label"))
    started = time.process_time()
    decide(fingerprint_of(old, number), new, action="click")
    seconds = time.process_time() - started
    print(f"{seconds:.3f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.1f}")


if __name__ == "__main__":
    _measure_big_page()
