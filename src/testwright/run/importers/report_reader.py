"""Read a report whose format was not named: the content tells it."""

from collections.abc import Callable, Mapping
from pathlib import Path

from testwright.model.case import Framework
from testwright.model.errors import UsageError
from testwright.model.result import RunId, RunResult, SuiteResult
from testwright.model.strict_json import JsonObject
from testwright.run.importers import flutter, go, jest_json, junit, playwright_json, report_json
from testwright.run.importers.imported_results import ImportedRun
from testwright.run.importers.project_paths import ProjectPaths
from testwright.run.importers.report_file import ReportFile

_FromFile = Callable[[ReportFile, ProjectPaths], ImportedRun]
_FromDocument = Callable[[ReportFile, JsonObject, ProjectPaths], ImportedRun]

# One event a line (or XML): told by the beginning of the file.
_FROM_FILE: Mapping[str, tuple[Callable[[ReportFile], str], _FromFile]] = {
    junit.NAME: (junit.misfit, junit.read),
    go.NAME: (go.misfit, go.read),
    flutter.NAME: (flutter.misfit, flutter.read),
}
# One JSON document: told by its outermost keys.
_FROM_DOCUMENT: Mapping[str, tuple[Callable[[JsonObject], str], _FromDocument]] = {
    playwright_json.NAME: (playwright_json.misfit, playwright_json.read),
    jest_json.JEST: (jest_json.misfit_jest, jest_json.read_jest),
    jest_json.VITEST: (jest_json.misfit_vitest, jest_json.read_vitest),
}
FORMATS = (*_FROM_FILE, *_FROM_DOCUMENT)


def read_report(path: Path, *, format: str | None = None, project: Path) -> RunResult:  # noqa: A002  the option's name
    """The run that the file at `path` describes. Reading the same file again gives the same run, with the same id.

    `format` is one of FORMATS; without it the content decides. Files named in the report that lie inside
    `project` are named from its root. Raises MalformedReport, TooLarge and the errors of an unreadable path.
    """
    if format is not None and format not in FORMATS:
        raise UsageError(
            f"There is no report format {format!r}.", next_step=f"Use one of: {', '.join(FORMATS)}; or leave it out."
        )
    report = ReportFile.at(path)
    if not report.text.strip():
        raise report.malformed("it is empty.")
    name, imported = _gather(report, ProjectPaths(project), format)
    suite = SuiteResult(
        framework=Framework(name),
        root="",
        results=imported.results,
        problems=imported.problems,
        duration_ms=imported.duration_ms,
    )
    return RunResult(
        id=RunId(f"{name}-{report.sha256[:24]}"),
        started_at=imported.started_at or report.modified_at,
        suites=(suite,),
        duration_ms=imported.duration_ms,
        interrupted=imported.interrupted,
        source=name,
    )


def _gather(report: ReportFile, paths: ProjectPaths, wanted: str | None) -> tuple[str, ImportedRun]:
    if wanted is not None:
        return wanted, _gather_as(wanted, report, paths)
    misfits: dict[str, str] = {}
    for name, (misfit, read) in _FROM_FILE.items():
        misfits[name] = misfit(report)
        if not misfits[name]:
            return name, read(report, paths)
    document = _document(report, misfits)
    for name, (misfit_of, read_from) in _FROM_DOCUMENT.items():
        misfits[name] = misfit_of(document)
        if not misfits[name]:
            return name, read_from(report, document, paths)
    raise report.malformed(f"it is of no format we know. {_listed(misfits)}")


def _gather_as(name: str, report: ReportFile, paths: ProjectPaths) -> ImportedRun:
    if name in _FROM_FILE:
        return _FROM_FILE[name][1](report, paths)
    document = _document(report, {})
    misfit, read = _FROM_DOCUMENT[name]
    # Jest and Vitest write the same shape: between them, the given name decides.
    why = jest_json.misfit(document) if name in (jest_json.JEST, jest_json.VITEST) else misfit(document)
    if why:
        raise report.malformed(f"it is not of the format {name}: {why}.")
    return read(report, document, paths)


def _document(report: ReportFile, misfits: Mapping[str, str]) -> JsonObject:
    """The file as one JSON object; the error for what is none also says why the formats in `misfits` are out."""
    if report.text.lstrip()[:1] not in ("{", "["):
        raise report.malformed(f"it is neither XML nor JSON. {_listed(misfits)}")
    if report_json.holds_several(report):
        several = dict.fromkeys(_FROM_DOCUMENT, "it holds one JSON value a line, not one document")
        raise report.malformed(f"it is of no format we know. {_listed({**misfits, **several})}")
    document = report_json.document(report)
    if not isinstance(document, dict):
        raise report.malformed("its JSON is a list; every format we know is an object.")
    return document


def _listed(misfits: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {why}" for name, why in misfits.items()) + "."
