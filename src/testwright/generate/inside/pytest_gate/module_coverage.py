"""Watch which lines and branches of one module run, by serving it with probes in it."""

import sys
import tokenize
from collections.abc import Collection

from testwright.instrument.import_hook import serve
from testwright.instrument.probe_hits import coverage, hits_of
from testwright.instrument.probes import ProbeRecorder
from testwright.instrument.twin import make_twin

NO_LIMIT = 1 << 62  # on the work of a test: here the process has one on its time


class ModuleCoverage:
    """Watches from the moment it is made; what is already loaded cannot be watched."""

    def __init__(self, name: str, file: str, seen_before: Collection[int]) -> None:
        """`seen_before` are probes, by number, that count as hit in any case."""
        with tokenize.open(file) as source:
            twin = make_twin(source.read(), file)
        self._probes = twin.probes
        self._recorder = ProbeRecorder(twin.probes)
        self._at_import: int | None = None
        self._before = hits_of(twin.probes, set(seen_before))
        self._served = serve(name, twin.code, file, self._recorder.attach)

    def come_first(self) -> None:
        """A conftest may have put a finder of its own in front, which would give the module without the probes."""
        self._served.stop()
        sys.meta_path.insert(0, self._served)

    def seen(self) -> dict[str, object]:
        """What has run since the last start, and what the import alone runs: the first call comes right after it."""
        hits = int.from_bytes(self._recorder.hits(), "little")
        if self._at_import is None:
            self._at_import = hits
        return coverage(self._probes, hits | self._at_import | self._before)
