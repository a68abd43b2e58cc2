"""What a warm worker saves on 50 files of agent-skill tests."""

import sys
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Figure, compared, wall

FILES = 50


def figures(folder: Path) -> Iterator[Figure]:
    project = folder / "skills-50"
    for number in range(FILES):
        skill = project / "skills" / f"skill-{number}"
        skill.mkdir(parents=True)
        (skill / "SKILL.md").write_text(f"# Skill {number}\n")
        tests = project / "tests"
        tests.mkdir(exist_ok=True)
        body = "export default async () => ({ passed: 1, failed: 0, errors: [] });\n"
        (tests / f"skill-{number}.tests.mjs").write_text(body)
    run: list[str | Path] = [Path(sys.executable).with_name("testwright"), "run"]
    seen = compared(lambda: wall([*run, "--warm"], project), lambda: wall(run, project), rounds=3)
    yield Figure(
        "warm over fresh, 50 skill files",
        seen.ratio,
        5,
        "x faster",
        at_least=True,
        detail=f"({seen.second:.2f} s / {seen.first:.2f} s)",
    )
