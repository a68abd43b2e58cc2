"""The order of work: collect the tests once, run them once, then let each mutant live in a copy of the process.

There are three kinds of process. The first has pytest and our modules loaded, and nothing of the project. Its copy,
the session, has the tests collected, and has run none. Copies of the session run tests: all of them once, for
control, and for each mutant those that reach it. What the import of the module decides is past by then: such a
mutant gets a copy of the first process, which collects the tests again.
"""

import gc
import json
import os
import random
import tokenize
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pytest

from .channel import Channel
from .mutation_forks import Job, Tell, lines_of, run_jobs
from .mutation_session import MutationSession
from .mutation_trials import MutantTrials, TrialOutcome, limits

_NO_LIMIT = 1 << 62


class MutationWorker:
    def __init__(self, channel: Channel, instrument: Mapping[str, Any], arguments: Sequence[str]) -> None:
        self._channel, self._instrument, self._arguments = channel, instrument, list(arguments)
        self._config = channel.config
        self._target: str = channel.config["target"]
        self._code: Any = None
        self._variants: Any = None
        self._masks: Mapping[tuple[str, int], int] = {}
        self._recorder: Any = None
        self._chosen: list[Any] = []

    def run(self) -> None:
        try:
            with tokenize.open(self._target) as file:  # by the encoding that it names
                source = file.read()
            twin = self._instrument["twin"].make_twin(source, self._target)
            self._variants = self._instrument["live_mutants"].LiveMutants(source, self._target, twin=True)
        except (SyntaxError, ValueError, RecursionError) as error:
            message = "%s is not Python that %s understands: %s" % (self._target, _version(), error)
            next_step = "Mend it, or name the interpreter it is written for with --python."
            self._channel.send("problem", code="invalid_source", message=message, next_step=next_step)
            return
        self._code, self._masks = twin.code, self._instrument["probe_hits"].statement_masks(twin.probes)
        self._recorder = self._instrument["probes"].ProbeRecorder(twin.probes)
        self._chosen = self._sample()
        self._channel.send("planned", total=len(self._variants.mutants), chosen=len(self._chosen))
        self._try_all()

    def _sample(self) -> list[Any]:
        everything = list(self._variants.mutants)
        limit = self._config.get("limit")
        if limit is None or limit >= len(everything):
            return everything
        chosen = random.Random(self._config["seed"]).sample(range(len(everything)), limit)  # noqa: S311  not a secret
        return [everything[number] for number in sorted(chosen)]

    def _try_all(self) -> None:
        needs_import: list[int] = []
        seconds = cpu = 0.0
        left_out: frozenset[str] = frozenset()
        for line in lines_of(self._session):
            record = json.loads(line)
            if isinstance(record, int):
                message = "pytest ended with %d before all tests had been run." % record
                self._channel.send("problem", code="mutation_failed", message=message, see_output=True)
                return
            kind = record.pop("kind")
            if kind == "verdict":
                self._tell_verdict(**record)
            elif kind == "needs_import":
                needs_import, seconds, cpu = record["numbers"], record["seconds"], record["cpu"]
                left_out = frozenset(record["left_out"])
            else:
                self._channel.send(kind, **record)
        self._try_with_fresh_import(needs_import, limits(seconds, cpu, self._config.get("timeout")), left_out)

    def _tell_verdict(self, number: int, status: str, by: str) -> None:
        fields = asdict(self._variants.mutants[number])
        self._channel.send("verdict", status=status, killed_by=by, **fields)

    # --- the session -------------------------------------------------------------------------

    def _session(self, tell: Tell) -> None:
        def say(kind: str, **fields: Any) -> None:
            tell(json.dumps({"kind": kind, **fields}))

        def then(session: MutationSession) -> None:
            trials = MutantTrials(session, self._variants, self._masks, self._config)
            if trials.control(say):
                self._variants.look_again()
                gc.collect()
                gc.freeze()  # what is alive by now need not be looked through in every copy
                trials.run(self._chosen, say)

        self._recorder.reset(_NO_LIMIT)
        self._instrument["import_hook"].serve_file(self._code, self._target, self._recorder.attach)
        session = MutationSession(self._recorder, then)
        code = pytest.main(self._arguments, plugins=[session])
        if not session.has_run:
            say("problem", code="no_tests", message="pytest exited with %d and ran no test." % code, see_output=True)

    # --- mutants that the import decides about -----------------------------------------------

    def _try_with_fresh_import(
        self, numbers: Sequence[int], most: "tuple[int, float]", left_out: "frozenset[str]"
    ) -> None:
        waiting = list(reversed(numbers))

        def next_job() -> "Job | None":
            if not waiting:
                return None
            number = waiting.pop()
            return Job(number, lambda tell: self._anew(number, left_out, tell), *most)

        for ended in run_jobs(next_job, self._config["parallel"]):
            verdict = TrialOutcome.of(ended)
            self._tell_verdict(ended.about, verdict.status, verdict.name)

    def _anew(self, number: int, left_out: "frozenset[str]", tell: Tell) -> None:
        """Collect and run everything with the mutant in the module's code."""
        nothing = os.open(os.devnull, os.O_WRONLY)
        for descriptor in (1, 2):  # a whole session's output for each mutant is of no use
            os.dup2(nothing, descriptor)
        code = self._variants.module_code_for(self._variants.mutants[number])

        def then(session: MutationSession) -> None:
            if session.not_collected:
                tell(json.dumps([-1, session.not_collected[0][0]]))
                tell("failed")
                return
            session.first_to_fail(range(len(session.items)), lambda _: _NO_LIMIT, tell)

        self._recorder.reset(_NO_LIMIT)
        self._instrument["import_hook"].serve_file(code, self._target, self._recorder.attach)
        session = MutationSession(self._recorder, then, left_out)
        pytest.main(self._arguments, plugins=[session])
        if not session.has_run:
            tell("failed")


def _version() -> str:
    import platform  # late: start-up: only for a message

    return "Python " + platform.python_version()
