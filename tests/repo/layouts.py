"""Repositories of every layout we know, each with a module in it and how that module is to be imported."""

from collections.abc import Mapping
from dataclasses import dataclass

CODE = "def double(number):\n    return 2 * number\n"


@dataclass(frozen=True)
class Layout:
    """`files` make the repository; `target` is the module; the rest is what must be found out about it."""

    files: Mapping[str, str]
    target: str
    imported: str
    roots: tuple[str, ...]
    needs_bootstrap: bool = True
    tests: str = "tests"


def project(name: str, more: str = "") -> str:
    return f'[project]\nname = "{name}"\nversion = "1"\n{more}'


LAYOUTS = {
    "src layout, PEP 621": Layout(
        {
            "pyproject.toml": project("shop"),
            "src/shop/__init__.py": "",
            "src/shop/sub/__init__.py": "",
            "src/shop/sub/mod.py": CODE,
        },
        "src/shop/sub/mod.py",
        "from shop.sub import mod as _under_test",
        ("src",),
    ),
    "flat layout, PEP 621": Layout(
        {"pyproject.toml": project("shop"), "shop/__init__.py": "", "shop/mod.py": CODE},
        "shop/mod.py",
        "from shop import mod as _under_test",
        ("",),
    ),
    "setuptools find where": Layout(
        {
            "pyproject.toml": project("shop", '[tool.setuptools.packages.find]\nwhere = ["lib"]\n'),
            "lib/shop/__init__.py": "",
            "lib/shop/mod.py": CODE,
        },
        "lib/shop/mod.py",
        "from shop import mod as _under_test",
        ("lib",),
    ),
    "setuptools package-dir": Layout(
        {
            "pyproject.toml": project(
                "shop", '[tool.setuptools]\npackages = ["shop", "shop.sub"]\npackage-dir = {"" = "python"}\n'
            ),
            "python/shop/__init__.py": "",
            "python/shop/sub/__init__.py": "",
            "python/shop/sub/mod.py": CODE,
        },
        "python/shop/sub/mod.py",
        "from shop.sub import mod as _under_test",
        ("python",),
    ),
    "Poetry packages from": Layout(
        {
            "pyproject.toml": '[tool.poetry]\nname = "shop"\npackages = [{include = "shop", from = "code"}]\n',
            "code/shop/__init__.py": "",
            "code/shop/mod.py": CODE,
        },
        "code/shop/mod.py",
        "from shop import mod as _under_test",
        ("code",),
    ),
    "Hatch wheel packages": Layout(
        {
            "pyproject.toml": project("shop", '[tool.hatch.build.targets.wheel]\npackages = ["backend/shop"]\n'),
            "backend/shop/__init__.py": "",
            "backend/shop/mod.py": CODE,
        },
        "backend/shop/mod.py",
        "from shop import mod as _under_test",
        ("backend",),
    ),
    "Hatch sources": Layout(
        {
            "pyproject.toml": project("shop", '[tool.hatch.build.targets.wheel]\nsources = ["python"]\n'),
            "python/shop/__init__.py": "",
            "python/shop/mod.py": CODE,
        },
        "python/shop/mod.py",
        "from shop import mod as _under_test",
        ("python",),
    ),
    "PDM package-dir": Layout(
        {
            "pyproject.toml": project("shop", '[tool.pdm.build]\npackage-dir = "source"\n'),
            "source/shop/__init__.py": "",
            "source/shop/mod.py": CODE,
        },
        "source/shop/mod.py",
        "from shop import mod as _under_test",
        ("source",),
    ),
    "Flit single module": Layout(
        {
            "pyproject.toml": project("shop-tool", '[tool.flit.module]\nname = "shop_tool"\n'),
            "shop_tool.py": CODE,
        },
        "shop_tool.py",
        "import shop_tool as _under_test",
        ("",),
    ),
    "setup.cfg package_dir": Layout(
        {
            "setup.cfg": "[metadata]\nname = shop\n[options]\npackage_dir =\n    = lib\npackages = find:\n",
            "lib/shop/__init__.py": "",
            "lib/shop/mod.py": CODE,
        },
        "lib/shop/mod.py",
        "from shop import mod as _under_test",
        ("lib",),
    ),
    "setup.py find_packages": Layout(
        {
            "setup.py": """\
                from setuptools import find_packages, setup

                FOLDER = "lib"
                raise RuntimeError("nobody may run this")
                setup(name="shop", packages=find_packages(where=FOLDER), package_dir={"": FOLDER})
                """,
            "lib/shop/__init__.py": "",
            "lib/shop/mod.py": CODE,
        },
        "lib/shop/mod.py",
        "from shop import mod as _under_test",
        ("lib",),
    ),
    "namespace package in src": Layout(
        {
            "pyproject.toml": project("company-shop"),
            "src/company/shop/__init__.py": "",
            "src/company/shop/mod.py": CODE,
        },
        "src/company/shop/mod.py",
        "from company.shop import mod as _under_test",
        ("src",),
    ),
    "flat namespace package named by the project": Layout(
        {"pyproject.toml": project("company-shop"), "company/shop/__init__.py": "", "company/shop/mod.py": CODE},
        "company/shop/mod.py",
        "from company.shop import mod as _under_test",
        ("",),
    ),
    "uv workspace with two members": Layout(
        {
            "pyproject.toml": project("all", '[tool.uv.workspace]\nmembers = ["libs/*"]\n'),
            "libs/a/pyproject.toml": project("pkg-a"),
            "libs/a/src/pkg_a/__init__.py": "",
            "libs/a/src/pkg_a/mod.py": "from pkg_b.base import ONE\n" + CODE,
            "libs/b/pyproject.toml": project("pkg-b"),
            "libs/b/src/pkg_b/__init__.py": "",
            "libs/b/src/pkg_b/base.py": "ONE = 1\n",
            "libs/c/pyproject.toml": project("pkg-c"),
            "libs/c/src/pkg_c/__init__.py": "",
        },
        "libs/a/src/pkg_a/mod.py",
        "from pkg_a import mod as _under_test",
        ("libs/a/src", "libs/b/src"),
        tests="libs/a/tests",
    ),
    "package itself": Layout(
        {"pyproject.toml": project("shop"), "src/shop/__init__.py": CODE},
        "src/shop/__init__.py",
        "import shop as _under_test",
        ("src",),
    ),
    "loose module": Layout(
        {"tools/helper.py": "ONE = 1\n", "tools/tool.py": "import helper\n" + CODE},
        "tools/tool.py",
        "import tool as _under_test",
        ("tools",),
    ),
    "folder without __init__ that imports itself by name": Layout(
        {"app/models.py": "ONE = 1\n", "app/main.py": "from app.models import ONE\n" + CODE},
        "app/main.py",
        "from app import main as _under_test",
        ("",),
    ),
    "loose modules in src": Layout(
        {"src/helper.py": "ONE = 1\n", "src/tool.py": "import helper\n" + CODE},
        "src/tool.py",
        "import tool as _under_test",
        ("src",),
    ),
    "src that is a package": Layout(
        {"src/__init__.py": "", "src/base.py": "ONE = 1\n", "src/tool.py": "from src.base import ONE\n" + CODE},
        "src/tool.py",
        "import tool as _under_test",
        ("src", ""),
    ),
    "folder with a dash": Layout(
        {"my-scripts/tool.py": CODE}, "my-scripts/tool.py", "import tool as _under_test", ("my-scripts",)
    ),
    "module with a dash": Layout(
        {"scripts/my-tool.py": CODE},
        "scripts/my-tool.py",
        'import importlib\n_under_test = importlib.import_module("my-tool")',
        ("scripts",),
    ),
    "module named by a keyword": Layout(
        {"pyproject.toml": project("shop"), "shop/__init__.py": "", "shop/lambda.py": CODE},
        "shop/lambda.py",
        'import importlib\n_under_test = importlib.import_module("shop.lambda")',
        ("",),
    ),
    "module with dots in its name": Layout(
        {"scripts/my.tool.py": CODE}, "scripts/my.tool.py", "import my_tool_under_test as _under_test", ("scripts",)
    ),
    "loose module named as one of the standard library": Layout(
        {"scripts/json.py": CODE}, "scripts/json.py", "import json_under_test as _under_test", ()
    ),
    "package that gives the module's name to a function": Layout(
        {
            "pyproject.toml": project("double"),
            "double/__init__.py": "from .double import double\n",
            "double/double.py": CODE,
        },
        "double/double.py",
        'import importlib\n_under_test = importlib.import_module("double.double")',
        ("",),
    ),
    "package in a folder of another name": Layout(
        {
            "pyproject.toml": project("shop", '[tool.setuptools.package-dir]\nshop = "source"\n'),
            "source/__init__.py": "",
            "source/base.py": "ONE = 1\n",
            "source/mod.py": "from shop.base import ONE\n" + CODE,
        },
        "source/mod.py",
        "from shop import mod as _under_test",
        ("",),
    ),
    "pytest's pythonpath": Layout(
        {
            "pyproject.toml": project("shop", '[tool.pytest.ini_options]\npythonpath = ["src"]\n'),
            "src/shop/__init__.py": "",
            "src/shop/mod.py": CODE,
        },
        "src/shop/mod.py",
        "from shop import mod as _under_test",
        ("src",),
        needs_bootstrap=False,
    ),
    "pythonpath in tox.ini": Layout(
        {"tox.ini": "[pytest]\npythonpath = lib src\n", "src/shop/__init__.py": "", "src/shop/mod.py": CODE},
        "src/shop/mod.py",
        "from shop import mod as _under_test",
        ("src",),
        needs_bootstrap=False,
    ),
    "a conftest beside a flat package": Layout(
        {"setup.py": "", "conftest.py": "", "shop/__init__.py": "", "shop/mod.py": CODE},
        "shop/mod.py",
        "from shop import mod as _under_test",
        ("",),
        needs_bootstrap=False,
    ),
    "tests that are a package beside a flat package": Layout(
        {"setup.py": "", "tests/__init__.py": "", "shop/__init__.py": "", "shop/mod.py": CODE},
        "shop/mod.py",
        "from shop import mod as _under_test",
        ("",),
        needs_bootstrap=False,
    ),
    "a conftest that adds the root itself": Layout(
        {
            "setup.py": "",
            "tests/conftest.py": "import os, sys\nHERE = os.path.dirname(os.path.abspath(__file__))\n"
            "sys.path.insert(0, os.path.join(HERE, '..', 'src'))\n",
            "src/shop/__init__.py": "",
            "src/shop/mod.py": CODE,
        },
        "src/shop/mod.py",
        "from shop import mod as _under_test",
        ("src",),
        needs_bootstrap=False,
    ),
    "importlib mode does not count packages of tests": Layout(
        {
            "pytest.ini": "[pytest]\naddopts = --import-mode=importlib\n",
            "setup.py": "",
            "tests/__init__.py": "",
            "conftest.py": "",
            "shop/__init__.py": "",
            "shop/mod.py": CODE,
        },
        "shop/mod.py",
        "from shop import mod as _under_test",
        ("",),
    ),
}
