"""When Testwright itself is at fault: keep the details for a bug report, show a sentence."""

import sys
import tempfile
import traceback

from testwright import __version__


def report_crash(error: Exception) -> None:
    details = f"testwright {__version__}, Python {sys.version}\n\n{''.join(traceback.format_exception(error))}"
    sys.stderr.write(f"testwright: a fault of Testwright's own: {type(error).__name__}. [internal]\n")
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="testwright-fault-", suffix=".txt", delete=False, encoding="utf-8", errors="replace"
        ) as file:
            file.write(details)
        sys.stderr.write(f"  The details are in {file.name}; please send them with a bug report.\n")
    except OSError:  # no disk to write to: the terminal is all that is left
        sys.stderr.write(details)
