"""Who decides about a proposal, when no other name is given."""

import getpass
import os


def user_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in some containers
        return f"user {os.getuid()}"
