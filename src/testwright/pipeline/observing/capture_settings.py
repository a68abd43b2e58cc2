"""What a recording or an import takes from the project: its secrets, its noise, its attribute of test ids."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from testwright.masking.known_secrets import known_secrets
from testwright.masking.masker import Masker
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE
from testwright.observe.noise_rules import NoiseRules
from testwright.pipeline.healing.on_request.testid_attribute import attribute_for

_MOST_CONFIG_BYTES = 1 << 20


class CaptureSettings(Protocol):
    """What a recording needs to know of a project's settings."""

    @property
    def test_id_attribute(self) -> str: ...
    @property
    def noise_requests(self) -> tuple[str, ...]: ...
    @property
    def noise_console(self) -> tuple[str, ...]: ...
    @property
    def noise_errors(self) -> tuple[str, ...]: ...
    @property
    def secret_names(self) -> tuple[str, ...]: ...
    @property
    def secret_variables(self) -> tuple[str, ...]: ...


def masker_for(root: Path, settings: CaptureSettings, env: Mapping[str, str]) -> Masker:
    """One that knows the secrets of the project's .env files, and of the variables that its settings name."""
    return Masker(known=known_secrets(root, env, settings.secret_variables), names=settings.secret_names)


def noise_rules_of(settings: CaptureSettings) -> NoiseRules:
    return NoiseRules(requests=settings.noise_requests, console=settings.noise_console, errors=settings.noise_errors)


def test_id_attribute_for(root: Path, settings: CaptureSettings, asked: str) -> str:
    """The one that was asked for, that the settings name, or that the project's Playwright settings do."""
    if asked not in ("", DEFAULT_TEST_ID_ATTRIBUTE):
        return asked
    if settings.test_id_attribute:
        return settings.test_id_attribute

    def read(name: str) -> bytes:
        with suppress(OSError), (root / name).open("rb") as file:
            return file.read(_MOST_CONFIG_BYTES)
        return b""

    return attribute_for("conftest.py", b"", read)
