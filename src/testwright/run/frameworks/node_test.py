"""node:test: the test runner that comes with Node.js."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from testwright.isolate.command import Command
from testwright.model.case import Framework
from testwright.model.errors import RunnerMissing
from testwright.run.framework_adapter import RunnerLaunch, RunRequest, Suite
from testwright.run.frameworks import javascript as js
from testwright.run.project import Project, lies_in, nearest

_REPORTER = js.INSIDE / "node_test_reporter.mjs"
_OLDEST = (20, 0)
_SLACK_SECONDS = 5.0  # our reporter ends an overlong file's process
_NAMED_LIKE_A_TEST = re.compile(r"(.+[.\-_]test|.+\.spec|test|test-.+)")
_ENDINGS = frozenset(ending for ending in js.SCRIPT_ENDINGS if not ending.endswith("x"))


@dataclass(frozen=True)
class NodeTestAdapter:
    project: Project
    framework = Framework.NODE

    def suites(self, project: Project) -> Sequence[Suite]:
        """One for each package that has files which import node:test. A file that does not import it is not its own."""
        packages = tuple(folder for folder, _ in js.manifests(project))
        files: dict[str, list[Path]] = {}
        for name in project.names:
            if _looks_like_a_test(name) and js.owner_of(project.path(name)) is Framework.NODE:
                files.setdefault(nearest(name, packages) or "", []).append(project.path(name))
        return [Suite(self.framework, project.path(root), tuple(files[root])) for root in sorted(files)]

    def launches(self, suite: Suite, request: RunRequest, env: Mapping[str, str]) -> Sequence[RunnerLaunch]:
        node = js.node_program(env)
        version = js.node_version(node)
        if version < _OLDEST:
            raise RunnerMissing(
                f"node:test needs Node.js 20 or newer; {node} is {version[0]}.{version[1]}.",
                next_step="Put a newer Node.js first on the PATH.",
            )
        files = _files(suite, request)
        if not files:
            return []
        reporters = ("spec", str(_REPORTER))
        options = [
            option for name in reporters for option in (f"--test-reporter={name}", "--test-reporter-destination=stdout")
        ]
        argv = [node, "--test", *options, *_options(request), *request.extra, *files]
        config = js.reporter_config(self.project, self.framework, request)
        return [RunnerLaunch(Command(argv, suite.root, env), config, request, slack_seconds=_SLACK_SECONDS)]


def _looks_like_a_test(name: str) -> bool:
    path = PurePosixPath(name)
    if path.suffix[1:] not in _ENDINGS or path.name.endswith(".d.ts"):
        return False
    return _NAMED_LIKE_A_TEST.fullmatch(path.stem) is not None or not {"test", "tests", "__tests__"}.isdisjoint(
        path.parts[:-1]
    )


def _options(request: RunRequest) -> list[str]:
    """node:test cannot stop at the first failure, and its time limit is for a whole file: our reporter keeps ours."""
    options = []
    if request.only and all(case.title for case in request.only):
        # A pattern is held against each name by itself, so the groups around a test have to match too. That lets
        # some of its neighbours run, which our reporter leaves out.
        names = sorted({js.regex_escaped(part) for case in request.only for part in case.title})
        pattern = f"^(?:{'|'.join(names)})$"
        options += [f"--test-name-pattern={pattern}"] if len(pattern.encode()) < js.MOST_PATTERN_BYTES else []
    if request.workers is not None:
        options.append(f"--test-concurrency={request.workers}")
    if request.shard is not None and request.only is None:  # tests named one by one are not dealt out again
        options.append(f"--test-shard={request.shard.index}/{request.shard.count}")
    return options


def _files(suite: Suite, request: RunRequest) -> list[str]:
    if request.only is not None:
        return sorted({str(suite.root / case.native_id) for case in request.only})
    if not request.paths:
        return [str(path) for path in suite.files]
    return [str(file) for file in suite.files if lies_in(file, request.paths)]
