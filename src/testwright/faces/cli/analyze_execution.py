"""Carry out `testwright analyze`: baselines of sessions, and errors that are counted over sessions."""

import argparse
import sys
from dataclasses import asdict
from typing import Any

from testwright.faces.cli.observe_execution import shown_time
from testwright.faces.cli.standard_output import print_json, print_table
from testwright.model.session_baseline import SessionBaseline, Severity
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.observing.error_bundle import ErrorCluster, error_clusters
from testwright.pipeline.observing.session_baselines import baseline_of, differences
from testwright.store.sessions import list_sessions, open_session
from testwright.store.sessions.baseline_files import baseline_names, load_baseline, remove_baseline, save_baseline


def carry_out(options: argparse.Namespace) -> int:
    if options.action == "clusters":
        return _clusters(options)
    verbs = {"save": _save, "compare": _compare, "list": _list, "remove": _remove}
    return verbs[options.verb](options)


def _save(options: argparse.Namespace) -> int:
    root = options.project.absolute()
    made = baseline_of(open_session(root, options.session), options.name)
    path = save_baseline(root, made)
    summary = (
        f"Baseline {made.name} of {made.session}: {len(made.pages)} page(s), {len(made.apis)} kind(s) of request, "
        f"{sum(len(page.errors) for page in made.pages)} error(s)"
    )
    _tell(options, summary, {"file": str(path), **_shape(made)})
    return 0


def _compare(options: argparse.Namespace) -> int:
    root = options.project.absolute()
    was = load_baseline(root, options.name)
    now = baseline_of(open_session(root, options.session), options.name)
    found = differences(was, now)
    worse = sum(one.severity is Severity.REGRESSION for one in found)
    summary = (
        f"{worse} regression(s) and {len(found) - worse} other difference(s) from {was.name}"
        if found
        else f"No difference from {was.name}"
    )
    if found and not options.json:
        print_table(
            ("severity", "what", "where", "was", "now"),
            [(one.severity, one.kind, one.where, one.was, one.now) for one in found],
        )
    _tell(
        options,
        summary,
        {
            "baseline": was.name,
            "baseline_session": was.session,
            "session": now.session,
            "regressions": worse,
            "differences": [asdict(one) for one in found],
        },
    )
    return 1 if worse else 0


def _list(options: argparse.Namespace) -> int:
    root = options.project.absolute()
    found = [load_baseline(root, name) for name in baseline_names(root)]
    if found and not options.json:
        print_table(
            ("name", "made", "session", "pages", "requests", "address"),
            [
                (one.name, shown_time(one.made), one.session, str(len(one.pages)), str(len(one.apis)), one.url)
                for one in found
            ],
        )
    _tell(options, f"{len(found)} baseline(s)", {"baselines": [_shape(one) for one in found]})
    return 0


def _remove(options: argparse.Namespace) -> int:
    remove_baseline(options.project.absolute(), options.name)
    _tell(options, f"Forgot the baseline {options.name}", {"removed": options.name})
    return 0


def _clusters(options: argparse.Namespace) -> int:
    root = options.project.absolute()
    known = [] if options.session else list_sessions(root)
    readers = [open_session(root, one.id) for one in known] or [open_session(root, options.session)]
    found = error_clusters(readers)
    shown = found[: options.limit]
    if shown and not options.json:
        print_table(
            ("count", "sessions", "last seen", "newest", "error"),
            [
                (
                    str(one.count),
                    str(len(one.sessions)),
                    shown_time(one.last),
                    one.sample,
                    f"{one.name}: {one.message}" if one.name else one.message,
                )
                for one in shown
            ],
        )
    total = sum(one.count for one in found)
    _tell(
        options,
        f"{total} error(s) of {len(found)} kind(s) in {len(readers)} session(s)",
        {"clusters": [_cluster_shape(one) for one in shown], "more": len(found) > len(shown)},
    )
    return 0


def _cluster_shape(one: ErrorCluster) -> dict[str, Any]:
    return {
        "fingerprint": one.fingerprint,
        "name": one.name,
        "message": one.message[:2048],
        "source": one.source,
        "count": one.count,
        "first_seen": one.first,
        "last_seen": one.last,
        "sessions": list(one.sessions),
        "sample": one.sample,
        "urls": list(one.urls),
    }


def _shape(made: SessionBaseline) -> dict[str, Any]:
    return {
        "name": made.name,
        "session": made.session,
        "url": made.url,
        "made": made.made,
        "pages": [
            {
                "path": page.path,
                "errors": [error.fingerprint for error in page.errors],
                "elements": None if page.elements is None else len(page.elements),
            }
            for page in made.pages
        ],
        "requests": [{"key": api.key, "statuses": list(api.statuses)} for api in made.apis],
        "gaps": list(made.gaps),
    }


def _tell(options: argparse.Namespace, summary: str, data: dict[str, Any]) -> None:
    if options.json:
        print_json({"summary": summary, "data": data})
    else:
        sys.stdout.write(f"{visible_line(summary)}.\n")
