"""Measure coverage with the project's own coverage.py, into one file for all the processes of a run."""

import fcntl
import os

import coverage

_OURS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "*")


class CoverageMeasurement:
    """Measures from the moment it is made. What is saved is added to what other processes have saved before."""

    def __init__(self, data_file: str) -> None:
        self._total = data_file
        self._part = "%s.%d" % (data_file, os.getpid())
        # data_suffix False: a project's `parallel = true` would give the file another name.
        self._coverage = coverage.Coverage(data_file=self._part, data_suffix=False, branch=True)
        left_out = self._coverage.get_option("run:omit") or []
        assert isinstance(left_out, list)
        self._coverage.set_option("run:omit", [*left_out, _OURS])
        self._coverage.start()

    def save(self) -> None:
        self._coverage.stop()
        self._coverage.save()
        with open(self._total + ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            total = coverage.Coverage(data_file=self._total, data_suffix=False, branch=True)
            if os.path.exists(self._total):
                total.load()
            if os.path.exists(self._part):  # nothing was measured, nothing was written
                total.combine([self._part])
            total.save()
