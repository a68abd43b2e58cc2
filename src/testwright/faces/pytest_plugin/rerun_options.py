"""Which of the options of a session hold for running some of its tests again, elsewhere."""

from collections.abc import Sequence

# They choose tests, stop early, share tests out, wait for a person, or write a report: all of that is over.
_WITH_VALUE = frozenset(
    {
        "-k", "-m", "-n", "--numprocesses", "--dist", "--tx", "--maxfail", "--junitxml", "--junit-xml", "--html",
        "--report-log", "--json-report-file", "--alluredir", "--deselect", "--ignore", "--ignore-glob",
        "--cov-report", "--cov-config", "--output", "--lfnf", "--last-failed-no-failures", "--durations",
    }
)  # fmt: skip
_WITHOUT_VALUE = frozenset(
    {
        "--testwright", "--no-auto-heal", "-x", "--exitfirst", "--lf", "--last-failed", "--ff", "--failed-first",
        "--nf", "--new-first", "--sw", "--stepwise", "--sw-skip", "--pdb", "--trace", "--json-report", "--cov",
        "--self-contained-html", "--collect-only", "--co", "--setup-plan", "--setup-only",
    }
)  # fmt: skip


def rerun_arguments(arguments: Sequence[str], places: Sequence[str]) -> tuple[str, ...]:
    """`arguments` of the command line without what chose or reported tests. `places` are its files and folders."""
    kept: list[str] = []
    chosen = set(places)
    is_value = False
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        if is_value:
            is_value = False
        elif name in _WITH_VALUE:
            is_value = not equals
        elif name not in _WITHOUT_VALUE and argument not in chosen:
            kept.append(argument)
    return tuple(kept)
