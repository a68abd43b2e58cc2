"""Folders that hold no work of the project's own: packages of others, environments, caches, what tools produce.

Each set has one meaning. A walk names the sets that it leaves out, and adds by name what is special to it. What may
never be written to is another question, with a list of its own: `testwright.review.path_rules`.
"""

import os

NODE_PACKAGES = frozenset({"node_modules", "bower_components"})
PYTHON_PACKAGES = frozenset({"site-packages", "dist-packages"})
ENVIRONMENTS = frozenset({"venv", "env", "__pypackages__"})  # by their usual names; `is_environment` knows the others
BUILD_OUTPUT = frozenset({"dist", "build", "target"})
BYTECODE = frozenset({"__pycache__"})
TOOL_CACHES = frozenset({".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"})
TEST_RESULTS = frozenset({"test-results", "playwright-report", "blob-report"})
COVERAGE_REPORTS = frozenset({"htmlcov"})  # not `coverage`, which is a Python package too
VERSION_CONTROL = frozenset({".git", ".hg"})
HEAL_PATCHES = "auto-heal-patches"  # patches of ours that wait for a person, beside the tests they are about

_PACKAGES = NODE_PACKAGES | PYTHON_PACKAGES


def is_environment(folder: str | os.PathLike[str]) -> bool:
    """Whether `folder` is a virtual environment, by any name."""
    return os.path.exists(os.path.join(folder, "pyvenv.cfg"))  # noqa: PTH110, PTH118  asked for each folder of a walk


def is_foreign(above: str | os.PathLike[str], name: str, left_out: frozenset[str]) -> bool:
    """Whether a walk for the project's own files passes by the folder `name` in `above`.

    Hidden folders, the metadata of built packages and environments hold none; `left_out` says which others.
    """
    if name.startswith(".") or name.endswith(".egg-info") or name in left_out:
        return True
    return is_environment(os.path.join(above, name))  # noqa: PTH118


def is_in_packages(name: str) -> bool:
    """Whether a file, named with forward slashes, belongs to an installed package."""
    return not _PACKAGES.isdisjoint(name.split("/"))
