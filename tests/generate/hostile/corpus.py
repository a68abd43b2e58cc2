"""What a hostile module is, and every one that we know, by name."""

from dataclasses import dataclass

HONEST = '''

def honest(number: int) -> str:
    """Beside all that goes wrong here there is something to test."""
    if number > 10:
        return "many"
    return "few"
'''


@dataclass(frozen=True)
class Hostile:
    """One module; what is honest in it is added below its source."""

    source: str
    says: str = ""
    """What the reason must hold that is given for the module, or for `hostile` in it; empty: there is none to give."""
    is_tested: bool = True
    """Whether its honest part must get tests all the same."""

    @property
    def text(self) -> str:
        return self.source.lstrip("\n") + HONEST
