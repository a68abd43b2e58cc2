"""How good the suites are that `testwright generate` writes: coverage and mutants by a scorer that is not ours.

The scorer, the list of modules and the lists of packages lie in a folder that is no part of this repository. The
modules come one after another, each in a command of its own, with the default budget and isolation.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.focal_packages import NotReady, module_file, ready_environment, required, version_of
from bench.generating_table import Score, markdown, targets, targets_markdown, write_section
from bench.measure import Figure, cpu
from testwright.model.errors import ExitCode

ROOT = Path(__file__).parents[1]
TESTWRIGHT = Path(sys.executable).with_name("testwright")
SCORER = "score.py"
MODULES = "modules-dev.txt"
MUTANTS = 40
_HOW_TO_GIVE_IT = """\
generating: skipped. It needs a folder with score.py, modules-dev.txt, requirements.txt and focal-packages.txt.
Name it with: make bench PYGEN=DIR, or: python -m bench generating --pygen DIR"""


def configure(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--pygen", type=Path, metavar="DIR", help="the folder with the scorer and its lists")
    group.add_argument("--modules", type=Path, metavar="FILE", help=f"the modules, one a line (default: {MODULES})")
    group.add_argument(
        "--venv",
        type=Path,
        default=ROOT / "build" / "focal-packages",
        metavar="DIR",
        help="the environment with the focal packages; made where it is not there (default: build/focal-packages)",
    )
    group.add_argument("--only", action="append", metavar="MODULE", help="this module; may be repeated")
    group.add_argument("--keep", type=Path, metavar="DIR", help="leave the suites and scores here")
    group.add_argument("--write", type=Path, metavar="PAGE", help="put the tables into this page, docs/benchmarks.md")


def figures(folder: Path, options: argparse.Namespace) -> Iterator[Figure]:
    """Print a row for each module as it comes, then the table; yield the targets."""
    if options.pygen is None:
        print(_HOW_TO_GIVE_IT, flush=True)
        return
    pygen = options.pygen.absolute()
    if not (pygen / SCORER).is_file():
        raise NotReady(f"{pygen} has no {SCORER}.")
    modules = options.only or required(options.modules or pygen / MODULES)
    venv = options.venv.absolute()
    python = ready_environment(venv, pygen)
    place = (options.keep or folder).absolute()
    before = os.getloadavg()[0]
    scores = []
    for module in modules:
        scores.append(scored(module, python, pygen, place / module))
        print(f"{module}: {markdown(scores[-1:]).splitlines()[2]}", file=sys.stderr, flush=True)
    held_to = targets(scores)
    text = "\n".join([_circumstances(python, before), markdown(scores), targets_markdown(held_to)])
    print(text, flush=True)
    if options.write is not None:
        write_section(options.write, text)
    yield from held_to


def scored(module: str, python: Path, pygen: Path, place: Path) -> Score:
    """Write the suite of one module into `place` and let the scorer judge it."""
    place.mkdir(parents=True, exist_ok=True)
    tests, project = place / "tests", place / "project"
    project.mkdir(exist_ok=True)
    generate: list[str | Path] = [TESTWRIGHT, "generate", module_file(python, module)]
    generate += ["--python", python, "--output", tests, "-j", "1"]
    # Whatever kept one module from having a suite, the others are still measured; the score will say that it has none.
    seconds = cpu(generate, project, codes=tuple(ExitCode))
    tests.mkdir(exist_ok=True)
    row = _score(module, python, pygen, tests)
    (place / "score.json").write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")
    return Score.of(row, seconds)


def _score(module: str, python: Path, pygen: Path, tests: Path) -> dict[str, object]:
    command = [python, pygen / SCORER, module, tests, "--label", "testwright", "--mutants", MUTANTS, "--verbose"]
    done = subprocess.run(
        [str(part) for part in command],
        cwd=tests,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # the scorer's folder stays as it is
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise NotReady(f"the scorer exited with {done.returncode} on {module}:\n{done.stderr[-2000:]}")
    row: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return row


def _circumstances(python: Path, load_before: float) -> str:
    from testwright import __version__

    version, load_after = ".".join(map(str, version_of(str(python)))), os.getloadavg()[0]
    return (
        f"Testwright {__version__}, no model, default budget and isolation, CPython {version}, at most {MUTANTS} "
        f"mutants a module, {os.cpu_count()} processors, "
        f"load average {load_before:.1f} before and {load_after:.1f} after.\n"
    )
