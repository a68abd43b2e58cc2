"""Whether a package binds the name of one of its modules to something else."""

import ast
from pathlib import Path

from testwright.model.errors import TestwrightError
from testwright.repo.python_source import parse_file
from testwright.repo.syntax_names import assigned_names, top_level


def hides_module(package: Path, module: str) -> bool:
    """Whether `from package import module` gives something else: after `from .slug import slug` it gives a function."""
    try:
        tree = parse_file(package / "__init__.py")
    except TestwrightError:  # no package, or none that can be read: nothing is bound
        return False
    for statement in top_level(tree.body):
        if module in assigned_names(statement):
            return True
        if isinstance(statement, ast.ImportFrom):
            is_package_itself = statement.level == 1 and statement.module is None
            is_package_itself |= statement.level == 0 and (statement.module or "").endswith(package.name)
            for alias in statement.names:
                bound = alias.asname or alias.name
                if bound == module and not (is_package_itself and alias.name == module):
                    return True
                if alias.name == "*" and statement.level == 1 and _offers(package, statement.module or "", module):
                    return True
    return False


def _offers(package: Path, source: str, name: str) -> bool:
    """Whether `from .source import *` brings in `name`."""
    if name.startswith("_"):
        return False
    try:
        tree = parse_file(package.joinpath(*source.split(".")).with_suffix(".py"))
    except TestwrightError:
        return False
    statements = list(top_level(tree.body))
    for statement in statements:
        if isinstance(statement, ast.Assign) and "__all__" in assigned_names(statement):
            try:
                return name in ast.literal_eval(statement.value)
            except (ValueError, TypeError):
                break
    return any(name in assigned_names(statement) for statement in statements)
