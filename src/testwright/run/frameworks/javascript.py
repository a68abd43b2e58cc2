"""What the JavaScript frameworks share: package.json, a project's own runner, and what our reporter in it gets."""

import json
import os
import re
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from testwright.model.case import Framework, TestCase
from testwright.model.errors import RunnerMissing
from testwright.run.framework_adapter import RunRequest, Shard, Suite
from testwright.run.project import Project, folder_of, is_below, lies_in, nearest

INSIDE = Path(__file__).parents[1] / "inside"
SCRIPT_ENDINGS = ("js", "mjs", "cjs", "ts", "mts", "cts", "jsx", "tsx", "mjsx", "cjsx", "mtsx", "ctsx")
TEST_FILE = re.compile(r".+\.(test|spec)\.[cm]?[jt]sx?")
MOST_PATTERN_BYTES = 96 << 10  # Linux refuses a single argument of 128 KiB
NOTHING = "(?!)"  # a pattern no test name matches: the runner loads every file and runs no test

_HEAD_BYTES = 64 << 10  # imports stand at the top; the rest of a big file is not worth reading
_IMPORTED = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["']([^"'\n]+)["']""")
_TEST_DIR = re.compile(r"""\btestDir\s*:\s*["'`]([^"'`$\n]+)["'`]""")
_RUNNER_PACKAGES = {
    "@playwright/test": Framework.PLAYWRIGHT,
    "playwright/test": Framework.PLAYWRIGHT,
    "vitest": Framework.VITEST,
    "@jest/globals": Framework.JEST,
    "node:test": Framework.NODE,
}


# --- what a project says about itself --------------------------------------------------------


def manifests(project: Project) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every package.json, as the folder it lies in and what it says. One that cannot be read says nothing."""
    for name in project.names:
        if PurePosixPath(name).name == "package.json":
            yield folder_of(name), read_manifest(project.path(name))


def read_manifest(path: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return manifest if isinstance(manifest, dict) else {}


def depends_on(manifest: Mapping[str, Any], package: str) -> bool:
    kinds = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
    return any(package in found for kind in kinds if isinstance(found := manifest.get(kind), dict))


def config_files(project: Project, stem: str) -> dict[str, Path]:
    """Files such as `vitest.config.ts`, by the folder they lie in; the first by name where a folder has several."""
    wanted = {f"{stem}.{ending}" for ending in (*SCRIPT_ENDINGS, "json")}
    found: dict[str, Path] = {}
    for name in project.names:
        if PurePosixPath(name).name in wanted:
            found.setdefault(folder_of(name), project.path(name))
    return found


def head_of(path: Path) -> str:
    """The start of a file, where its imports are; empty when it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES).decode("utf-8", errors="replace")
    except OSError:
        return ""


def owner_of(path: Path) -> Framework | None:
    """The framework a test file imports; None when it does not say, as files that use globals do not."""
    for package in _IMPORTED.findall(head_of(path)):
        if package in _RUNNER_PACKAGES:
            return _RUNNER_PACKAGES[package]
    return None


def browser_test_folders(project: Project) -> dict[str, Path]:
    """Where each Playwright configuration keeps its tests, by the folder it lies in itself."""
    folders = {}
    for folder, config in config_files(project, "playwright.config").items():
        said = _TEST_DIR.search(head_of(config))
        folders[folder] = Path(os.path.normpath(config.parent / said[1])) if said is not None else config.parent
    return folders


def own_files(
    project: Project, framework: Framework, roots: Iterable[str], is_test: Callable[[str], bool]
) -> dict[str, list[Path]]:
    """The test files of each root: those that say they are this framework's, and those that do not say."""
    files: dict[str, list[Path]] = {root: [] for root in roots}
    # A test with fixtures of its own imports those; the folder it lies in says whose it is.
    for_browsers = [path for folder, path in browser_test_folders(project).items() if path != project.path(folder)]
    for name in project.names if files else ():
        root = nearest(name, tuple(files))
        if root is None or not is_test(name):
            continue
        path = project.path(name)
        owner = owner_of(path) or (Framework.PLAYWRIGHT if lies_in(path, for_browsers) else None)
        if owner in (framework, None):
            files[root].append(path)
    return files


def suites_with_tests(
    project: Project, framework: Framework, roots: Mapping[str, Path | None], is_test: Callable[[str], bool]
) -> list[Suite]:
    """A suite for each root, with its configuration where it has one, that has any test files."""
    files = own_files(project, framework, roots, is_test)
    return [
        Suite(framework, project.path(root), tuple(files[root]), roots[root]) for root in sorted(roots) if files[root]
    ]


def not_below(roots: Mapping[str, Path | None], above: Collection[str]) -> dict[str, Path | None]:
    """The roots that no other one in `above` runs along with its own tests."""
    return {
        folder: path
        for folder, path in roots.items()
        if not any(folder != other and is_below(folder, other) for other in above)
    }


def is_named_like_a_test(name: str) -> bool:
    return TEST_FILE.fullmatch(PurePosixPath(name).name) is not None


def strangers(project: Project, suite: Suite, suites: Iterable[Suite]) -> list[Path]:
    """What lies below a suite's root and is not its own: folders of other suites, and files of other frameworks.

    Runners look for files by name, so that one would take another's for its own.
    """
    folders = [other.root for other in suites if suite.root in other.root.parents]
    files = []
    for name in project.names:
        path = project.path(name)
        if not TEST_FILE.fullmatch(path.name) or suite.root not in path.parents or lies_in(path, folders):
            continue
        if owner_of(path) not in (suite.framework, None):
            files.append(path)
    return [*folders, *files]


# --- a project's own tools -------------------------------------------------------------------


def node_program(env: Mapping[str, str]) -> str:
    """Node.js as the child will find it. Raises RunnerMissing."""
    found = shutil.which("node", path=env.get("PATH", os.defpath))
    if found is None:
        raise RunnerMissing(
            "These tests need Node.js, and there is no `node` on the PATH.", next_step="Install Node.js 20 or newer."
        )
    return found


def package_folder(root: Path, package: str) -> Path | None:
    """Where Node would find a package from `root`: the nearest node_modules that has it, upwards."""
    folders = (folder / "node_modules" / package for folder in (root, *root.parents))
    return next((folder for folder in folders if (folder / "package.json").is_file()), None)


def runner_script(root: Path, packages: Sequence[str], command: str) -> Path:
    """The file behind a runner's command, from the first of `packages` that is installed. Raises RunnerMissing."""
    for package in packages:
        folder = package_folder(root, package)
        if folder is None:
            continue
        script = read_manifest(folder / "package.json").get("bin")
        if isinstance(script, dict):
            script = script.get(command)
        if isinstance(script, str) and (folder / script).is_file():
            return (folder / script).resolve()
    raise RunnerMissing(
        f"{packages[0]} is not installed for {root}.",
        next_step="Install the project's packages, for example with `npm ci`; Testwright never installs them itself.",
    )


def version_of(script: Path) -> tuple[int, int]:
    """Major and minor version of the package a runner's script belongs to."""
    for folder in script.parents:
        version = read_manifest(folder / "package.json").get("version")
        found = re.match(r"(\d+)\.(\d+)", version) if isinstance(version, str) else None
        if found is not None:
            return int(found[1]), int(found[2])
    return 0, 0


@lru_cache(maxsize=16)
def node_version(node: str) -> tuple[int, int]:
    """The version of a Node.js program, as it says itself."""
    # late: start-up: only where Node.js is asked for its version
    from testwright.isolate.child import run_child
    from testwright.isolate.command import Command

    report = run_child(Command([node, "--version"], Path("/"), {}))
    found = re.match(r"v(\d+)\.(\d+)", report.stdout.text)
    return (int(found[1]), int(found[2])) if found is not None else (0, 0)


# --- what the runner and our reporter in it get -------------------------------------------


def reporter_config(project: Project, framework: Framework, request: RunRequest) -> dict[str, object]:
    """What every reporter of ours needs to know, for any runner."""
    config: dict[str, object] = {
        "framework": str(framework),
        "project": str(project.root),
        "select": list(request.select),
    }
    if request.only is not None:
        config["only"] = [
            {"file": case.file, "title": list(case.title), "variant": case.variant} for case in request.only
        ]
    if request.test_seconds is not None:
        config["test_seconds"] = request.test_seconds
    return config


def shard_of_files(suite: Suite, request: RunRequest) -> Shard | None:
    """The shard to ask for. Runners that deal out files take it ill when there are fewer of them than shards."""
    if request.shard is None or request.only is not None:  # tests named one by one are not dealt out again
        return None
    files = [file for file in suite.files if not request.paths or lies_in(file, request.paths)]
    return Shard(request.shard.index, min(request.shard.count, max(1, len(files))))


def unit_test_options(first: str, request: RunRequest, shard: Shard | None) -> list[str]:
    """The options that Vitest and Jest call the same, after `first`, by which each says where its tests stand."""
    options = [first]
    if request.workers is not None:
        options.append(f"--maxWorkers={request.workers}")
    if request.fail_fast:
        options.append("--bail=1")
    if request.test_seconds is not None:
        options.append(f"--testTimeout={milliseconds(request.test_seconds)}")
    if shard is not None:
        options.append(f"--shard={shard.index}/{shard.count}")
    return options


def milliseconds(seconds: float) -> str:
    return str(max(1, round(seconds * 1000)))


def regex_escaped(text: str) -> str:
    """`text` as a JavaScript pattern that matches just it, in any mode of the pattern language."""
    return re.sub(r"[\\^$.*+?()\[\]{}|/]", r"\\\g<0>", text)


def path_patterns(paths: Iterable[Path], left_out: Sequence[Path]) -> list[str]:
    """JavaScript patterns for what lies in `paths` (for everything, when there are none) except in `left_out`."""
    others = "|".join(regex_escaped(str(path)) for path in left_out)
    but = f"(?!(?:{others})(?:/|$))" if others and len(others.encode()) < MOST_PATTERN_BYTES else ""
    patterns = [f"^{but}{regex_escaped(str(path))}{'/' if path.is_dir() else '$'}" for path in paths]
    # The slash: Jest tries relative paths too, where nothing is left out.
    return patterns or ([f"^{but}/"] if but else [])


def bundles(cases: Iterable[TestCase], pattern_of: Mapping[TestCase, str]) -> list[tuple[list[TestCase], str]]:
    """Cases in as few groups as the length of an argument allows, each with one pattern that matches any of it."""
    groups: list[tuple[list[TestCase], list[str]]] = []
    size = MOST_PATTERN_BYTES
    for case in cases:
        pattern = pattern_of[case]
        if size + len(pattern.encode()) + 1 > MOST_PATTERN_BYTES:
            groups.append(([], []))
            size = 0
        if pattern not in groups[-1][1]:
            groups[-1][1].append(pattern)
            size += len(pattern.encode()) + 1
        groups[-1][0].append(case)
    return [(found, "|".join(patterns)) for found, patterns in groups]


def parts_by_name(request: RunRequest) -> list[tuple[RunRequest, list[str]]]:
    """The request in as many parts as it takes, each with the `-t` option of Vitest and Jest that chooses its tests.

    For a selection no test is run at first: our reporter announces those that are meant, and what was
    announced and not run is asked for again, name by name.
    """
    if request.only is None:
        return [(request, ["-t", NOTHING] if request.select else [])]
    whole_files = tuple(case for case in request.only if not case.title)
    covered = {case.file for case in whole_files}
    named = [case for case in request.only if case.file not in covered]
    parts: list[tuple[RunRequest, list[str]]] = [(replace(request, only=whole_files), [])] if whole_files else []
    for cases, pattern in bundles(named, {case: _full_name(case) for case in named}):
        parts.append((replace(request, only=tuple(cases)), ["-t", f"^ *(?:{pattern})$"]))
    return parts


def _full_name(case: TestCase) -> str:
    """A pattern for a test's titles as Vitest and Jest join them; a group without a name leaves its space."""
    return " +".join(regex_escaped(part) for part in case.title)
