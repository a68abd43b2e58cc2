"""Call a command's module as `testwright` would, in this process."""

import json
from typing import Any

import pytest

from testwright.faces.cli.common_options import CommandModule, parser_for


def call(module: CommandModule, *arguments: object) -> int:
    options = parser_for("command", "", module).parse_args([str(each) for each in arguments])
    return module.execute(options)


def call_json(module: CommandModule, capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    capsys.readouterr()
    call(module, *arguments, "--json")
    return json.loads(capsys.readouterr().out)
