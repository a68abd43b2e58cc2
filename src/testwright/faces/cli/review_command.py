"""`testwright review`: a person decides what enters the project."""

import argparse
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from testwright.faces.cli.common_options import add_json, add_project, whole_number
from testwright.faces.cli.standard_output import diff_lines, print_json, print_table, when
from testwright.faces.cli.user_name import user_name
from testwright.model.proposal import Proposal, ProposalStatus
from testwright.model.untrusted_text import visible_line
from testwright.settings import load_settings
from testwright.wiring import open_review

if TYPE_CHECKING:
    from testwright.review.review_queue import ReviewQueue

DESCRIPTION = "Decide about proposed changes. Nothing enters a file until you accept it here."


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="what waits for a decision")
    listing.add_argument("--status", choices=[*ProposalStatus, "all"], default="pending")
    listing.add_argument("--limit", type=whole_number, default=100, metavar="N")
    show = actions.add_parser("show", help="one proposal: its diff and the evidence for it")
    accept = actions.add_parser("accept", help="write the change into its file")
    accept.add_argument("--support-file", action="store_true", help="yes, also a conftest.py or other support file")
    reject = actions.add_parser("reject", help="say no, and why")
    again = actions.add_parser("again", help="propose once more what could not be applied")
    for action in (show, accept, reject, again):
        action.add_argument("id", metavar="ID", help="a proposal's id, or the start of it")
    for action in (accept, reject):
        action.add_argument("--reason", default="", metavar="TEXT", help="kept with the decision")
        action.add_argument("--by", default="", metavar="NAME", help="who decides (default: the user's name)")
    for action in (listing, show, accept, reject, again):
        add_json(action)
        add_project(action)


def execute(options: argparse.Namespace) -> int:
    root = options.project.absolute()
    with open_review(root, load_settings(root)) as queue:
        if options.action == "list":
            _list(queue, options)
        else:
            _present(_act(queue, options), options)
    return 0


def _act(queue: "ReviewQueue", options: argparse.Namespace) -> Proposal:
    match options.action:
        case "accept":
            return queue.accept(
                options.id, options.by or user_name(), options.reason, confirm_support_file=options.support_file
            )
        case "reject":
            return queue.reject(options.id, options.by or user_name(), options.reason)
        case "again":
            return queue.propose_again(options.id)
        case _:
            return queue.show(options.id)


def _list(queue: "ReviewQueue", options: argparse.Namespace) -> None:
    status = None if options.status == "all" else ProposalStatus(options.status)
    found = queue.list(status=status, limit=options.limit)
    if options.json:
        print_json([_shape(proposal) for proposal in found])
        return
    if not found:
        sys.stdout.write("Nothing waits for you.\n" if status is ProposalStatus.PENDING else "There is none.\n")
        return
    print_table(
        ("id", "status", "kind", "sure", "file", "what"),
        [(one.id, one.status, one.kind, _sure(one), one.file, one.title) for one in found],
    )


def _present(proposal: Proposal, options: argparse.Namespace) -> None:
    if options.json:
        print_json(_shape(proposal))
    elif options.action == "show":
        _show(proposal)
    else:
        sys.stdout.write(f"{proposal.id}: {proposal.status}, {visible_line(proposal.file)}\n")


def _show(proposal: Proposal) -> None:
    say = sys.stdout.write
    say(f"{proposal.id}  {visible_line(proposal.title)}\n")
    say(f"  {proposal.status} · {proposal.kind} · {visible_line(proposal.file)} · from {visible_line(proposal.origin)}")
    say(f" · {_sure(proposal)} sure\n" if proposal.confidence is not None else "\n")
    for evidence in proposal.evidence:
        source = f" ({visible_line(evidence.source)})" if evidence.source else ""
        say(f"  · {visible_line(evidence.summary)}{source}\n")
    for decision in proposal.decisions:
        reason = f": {visible_line(decision.reason)}" if decision.reason else ""
        say(f"  {decision.status} by {visible_line(decision.by)}, {when(decision.at)}{reason}\n")
    say("\n")
    for line in diff_lines(proposal.diff):
        say(f"{line}\n")


def _sure(proposal: Proposal) -> str:
    return "not measured" if proposal.confidence is None else f"{proposal.confidence:.0%}"


def _shape(proposal: Proposal) -> dict[str, Any]:
    shape = asdict(proposal)
    shape["content"] = proposal.content.decode("utf-8", errors="replace")
    return shape
