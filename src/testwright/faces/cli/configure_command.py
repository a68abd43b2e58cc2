"""`testwright configure`: show and change the project's settings."""

import argparse
import json
import re
import sys
from collections.abc import Callable
from dataclasses import fields
from functools import partial

from testwright.faces.cli.common_options import add_json, add_project
from testwright.faces.cli.standard_output import print_json, print_table
from testwright.model.errors import UsageError
from testwright.review import settings_file
from testwright.review.settings_file import Changed
from testwright.settings import Settings, checked_settings, load_settings, setting_names

DESCRIPTION = """\
Show and change the settings of a project, in testwright.toml, or where they live there in pyproject.toml.
Comments and the order of lines stay. A wrong value is refused and nothing is written.
"""

_NOISE = {"requests": "noise-requests", "console": "noise-console", "errors": "noise-errors"}
_WORDS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
_LISTS = tuple(field.name.replace("_", "-") for field in fields(Settings) if isinstance(field.default, tuple))


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    show = actions.add_parser("show", help="every setting, its value, and whether the project sets it")
    change = actions.add_parser("set", help="give a setting a value; a list takes several")
    change.add_argument("key", choices=setting_names(), metavar="KEY", help="see `testwright configure show`")
    change.add_argument("value", nargs="+", metavar="VALUE")
    unset = actions.add_parser("unset", help="back to the default")
    unset.add_argument("key", choices=setting_names(), metavar="KEY")
    for verb, what in (("add", "leave such things out of sessions"), ("remove", "take such a rule back")):
        noise = actions.add_parser(f"{verb}-noise", help=what)
        noise.add_argument("of", choices=tuple(_NOISE), help="what the rule is about")
        noise.add_argument(
            "item",
            metavar="PATTERN",
            help="requests: a glob on the address; the others: a part of the text, or /regex/",
        )
    for verb, what in (("add", "one more word that means a secret"), ("remove", "one less")):
        actions.add_parser(f"{verb}-secret", help=what).add_argument(
            "item", metavar="NAME", help="a word in the names of fields, headers, keys, such as matricule"
        )
    for verb, what in (("add", "the value of this variable is a secret"), ("remove", "it is not a secret")):
        actions.add_parser(f"{verb}-secret-variable", help=what).add_argument(
            "item", metavar="VARIABLE", help="an environment variable, such as SHOP_ADMIN_PASSWORD"
        )
    del show, unset
    for action in actions.choices.values():
        add_json(action)
        add_project(action)


def execute(options: argparse.Namespace) -> int:
    if options.action == "show":
        return _show(options)
    changed = _change(options)(options.project.absolute())
    if options.json:
        print_json({"file": changed.file, "setting": changed.name, "was": changed.was, "now": changed.now})
    else:
        sys.stdout.write(_change_text(changed) + "\n")
    return 0


def _change(options: argparse.Namespace) -> Callable[..., Changed]:
    match options.action:
        case "set":
            return partial(
                settings_file.set_setting,
                name=options.key,
                value=_value(options.key, options.value),
                check=checked_settings,
                # A terminal is where a person is; what runs us through pipes may be any program.
                allow_pilot=sys.stdin.isatty(),
            )
        case "unset":
            return partial(settings_file.unset_setting, name=options.key, check=checked_settings)
    verb, _, what = options.action.partition("-")
    name = _NOISE[options.of] if what == "noise" else {"secret": "secret-names"}.get(what, "secret-variables")
    change = settings_file.add_to_setting if verb == "add" else settings_file.remove_from_setting
    return partial(change, name=name, item=options.item, check=checked_settings)


def _value(key: str, given: list[str]) -> object:
    """What was typed, as the kind of value that the setting has; whether the value is valid is checked later."""
    if key in _LISTS:
        return [] if given == [""] else given
    if len(given) > 1:
        raise UsageError(f"{key} has one value, and {len(given)} were given.", next_step="Quote a value with spaces.")
    default = getattr(Settings(), key.replace("-", "_"))
    text = given[0]
    if isinstance(default, bool):
        return _WORDS.get(text.lower(), text)
    if isinstance(default, str):
        return text
    return _number(text)


def _number(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _change_text(changed: Changed) -> str:
    if changed.was == changed.now:
        return f"{changed.name} stays as it was in {changed.file}."
    if changed.now is None:
        return f"{changed.name} is no longer set in {changed.file}; its default holds."
    return f"{changed.name} = {_shown(changed.now)} in {changed.file}."


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        value = list(value)
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _without_password(value: object) -> object:
    """The address of a store may hold one, and what is shown here ends up in logs and conversations."""
    return re.sub(r"(?<=://)([^/@:]*):[^/@]*@", r"\1:...@", value) if isinstance(value, str) else value


def _show(options: argparse.Namespace) -> int:
    settings, plain = load_settings(options.project.absolute()), Settings()
    rows = [(name, _without_password(getattr(settings, name.replace("-", "_")))) for name in setting_names()]
    if options.json:
        print_json({"settings": dict(rows)})
        return 0
    print_table(
        ("setting", "value", ""),
        [
            (name, _shown(value), "" if value == getattr(plain, name.replace("-", "_")) else "set")
            for name, value in rows
        ],
    )
    return 0
