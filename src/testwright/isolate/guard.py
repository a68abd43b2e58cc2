"""What a child may touch, from nothing special to almost nothing."""

from dataclasses import dataclass
from enum import IntEnum


class IsolationLevel(IntEnum):
    """How strongly a child is shut in. Each level includes everything below it."""

    R0 = 0  # own session, limits, the whole tree ended; files and network as the user has them
    R1 = 1  # + Landlock and seccomp: no network, writes only where allowed
    R2 = 2  # + user, network and process namespaces, and a view of the project whose changes are discarded
    R3 = 3  # bubblewrap: a minimal file system, nothing else visible

    @property
    def label(self) -> str:
        return f"R{int(self)}"


@dataclass(frozen=True, slots=True)
class Guard:
    """The policy a child runs under.

    `guarded` false is for a user's own tests: their environment, home, network and ports, as their
    runner would give them. `guarded` true is for generated or explored code, and for own tests where
    `--isolation` asks for it: an environment allow-list, a private home and temp folder, no network,
    no writes outside `writable` and those.
    """

    level: IsolationLevel = IsolationLevel.R0
    guarded: bool = False
    project: str = ""  # the folder the child works on: readable, not writable
    private: str = ""  # the child's own folder, with its home and temp folder in it: writable
    writable: tuple[str, ...] = ()
    readable: tuple[str, ...] = ()  # besides the system's own folders and the project


UNGUARDED = Guard()
