"""`testwright analyze`: compare a session with an earlier one, and count errors that are the same."""

import argparse

from testwright.faces.cli.common_options import add_json, add_project, whole_number

DESCRIPTION = """\
A baseline is what a session showed while everything worked: the structure of its pages, the shapes of its
servers' answers, its errors. `compare` shows what differs in a later session, and exits with 1 if something got worse.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    baseline = actions.add_parser("baseline", help="save, compare, list, remove")
    verbs = baseline.add_subparsers(dest="verb", required=True, metavar="VERB")
    save = verbs.add_parser("save", help="keep what a session showed under a name")
    compare = verbs.add_parser("compare", help="how a session differs from a baseline")
    remove = verbs.add_parser("remove", help="forget a baseline")
    listed = verbs.add_parser("list", help="which baselines there are")
    for verb in (save, compare, remove):
        verb.add_argument("name", metavar="NAME")
    for verb in (save, compare):
        verb.add_argument("--session", default="", metavar="ID", help="default: the newest")
    clusters = actions.add_parser("clusters", help="errors that are the same, counted")
    clusters.add_argument("--session", default="", metavar="ID", help="only of this one (default: of all)")
    clusters.add_argument("--limit", type=whole_number, default=50, metavar="N")
    for each in (save, compare, remove, listed, clusters):
        add_json(each)
        add_project(each)


def execute(options: argparse.Namespace) -> int:
    from testwright.faces.cli.analyze_execution import carry_out  # late: start-up: msgspec

    return carry_out(options)
