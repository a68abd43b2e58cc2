"""A file that holds a session, opened: what the reader of its kind works from."""

from dataclasses import dataclass, field
from pathlib import Path

from testwright.masking.masker import Masker
from testwright.model.strict_json import JsonObject
from testwright.observe.archive import Archive
from testwright.observe.noise_rules import NoiseRules


@dataclass(frozen=True, slots=True)
class SessionInput:
    path: Path
    masker: Masker
    noise: NoiseRules
    document: JsonObject = field(default_factory=dict)  # where the kind is JSON
    archive: Archive | None = None  # where the file is one

    @property
    def name(self) -> str:
        return str(self.path)
