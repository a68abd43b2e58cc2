"""`testwright attach`: watch a browser that already runs, and keep what happens in it as a session."""

import argparse

from testwright.faces.cli.record_command import add_watching, finish, record_view
from testwright.observe.recording.record_options import RecordOptions
from testwright.pipeline.observing.journey import attach_session
from testwright.settings import load_settings

DESCRIPTION = """\
Connect to a running Chrome or Chromium and keep what happens in its pages. The browser stays open afterwards.

Two ways to allow it: start the browser with --remote-debugging-port=9222 and a profile of its own
(--user-data-dir=FOLDER), or switch it on at chrome://inspect/#remote-debugging (Chrome 144 and later) and name the
folder of the profile.
"""
DEFAULT = "http://127.0.0.1:9222"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "place",
        nargs="?",
        default=DEFAULT,
        metavar="PLACE",
        help=f"an address, a port, or the folder of a profile (default: {DEFAULT})",
    )
    add_watching(parser)


def execute(options: argparse.Namespace) -> int:
    root = options.project.absolute()
    wanted = RecordOptions(seconds=options.seconds, title=options.title, test_id_attribute=options.test_id_attribute)
    with record_view("press Ctrl-C to end; the browser stays open") as view:
        recorded = attach_session(
            root, load_settings(root), options.place, wanted, listen=view, begun=view.begun, control=True
        )
    return finish(options, recorded, view)
