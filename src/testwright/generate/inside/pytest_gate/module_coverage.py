"""Watch which lines and branches of one module run, by serving it with probes in it."""

import sys
import tokenize
from collections.abc import Iterable, Sequence

from testwright.instrument.import_hook import serve
from testwright.instrument.probes import Probe, ProbeRecorder, make_twin

NO_LIMIT = 1 << 62  # on the work of a test: here the process has one on its time


class ModuleCoverage:
    """Watches from the moment it is made; what is loaded already cannot be watched any more."""

    def __init__(self, name: str, file: str, seen_before: Sequence[int]) -> None:
        """`seen_before` are probes, by number, that count as passed whatever happens here."""
        with tokenize.open(file) as source:
            twin = make_twin(source.read(), file)
        self._probes = twin.probes
        self._recorder = ProbeRecorder(twin)
        self._at_import: bytes | None = None
        self._before = frozenset(seen_before)
        self._served = serve(name, twin.code, file, self._recorder.attach)

    def come_first(self) -> None:
        """A conftest may have put a finder of its own in front, which would give the module without the probes."""
        self._served.stop()
        sys.meta_path.insert(0, self._served)

    def seen(self) -> dict[str, object]:
        """What has run since the last start, with what the import alone runs: the first look is at that."""
        hits = self._recorder.hits()
        if self._at_import is None:
            self._at_import = hits
        happened = [bool(now or before) for now, before in zip(hits, self._at_import, strict=True)]
        return coverage(self._probes, [hit or index in self._before for index, hit in enumerate(happened)])


def coverage(probes: Sequence[Probe], happened: Iterable[bool]) -> dict[str, object]:
    """What the probes say of lines and branches, given for each of them whether it was passed."""
    lines: dict[int, bool] = {}
    branches, missing = [], []
    for probe, hit in zip(probes, happened, strict=True):
        if probe.kind == "statement":
            lines[probe.line] = lines.get(probe.line, False) or hit
            continue
        if probe.kind == "branch":
            branches.append(hit)
        if not hit:
            missing.append(probe.label.replace(" ", ": ", 1))
    return {
        "lines_covered": sum(lines.values()),
        "lines_total": len(lines),
        "branches_covered": sum(branches),
        "branches_total": len(branches),
        "uncovered_lines": sorted(line for line, hit in lines.items() if not hit),
        "missing_branches": list(dict.fromkeys(missing)),
    }
