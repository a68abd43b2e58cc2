"""A stack's file names lead to the project's own files, or to none."""

from pathlib import Path

import pytest

from testwright.pipeline.web.project_sources import FolderSources


def _sources(root: Path, *names: str) -> FolderSources:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("let a;")
    return FolderSources(root)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        pytest.param("webpack://shop/./src/cart.ts", "web/src/cart.ts", id="webpack"),
        pytest.param("webpack:///src/cart.ts?a1b2", "web/src/cart.ts", id="webpack with a hash"),
        pytest.param("../../src/cart.ts", "web/src/cart.ts", id="relative"),
        pytest.param("http://127.0.0.1:5173/src/cart.ts?t=17", "web/src/cart.ts", id="a served module"),
        pytest.param("http://127.0.0.1:5173/@fs/home/me/shop/web/src/cart.ts", "web/src/cart.ts", id="Vite, by file"),
        pytest.param("http://127.0.0.1/assets/pay.js", None, id="a bundle that is only called alike"),
        pytest.param("http://127.0.0.1/index.ts", None, id="two are as good"),
        pytest.param("admin/index.ts", "web/admin/index.ts", id="the longer match"),
        pytest.param("http://127.0.0.1/", None, id="the page itself"),
        pytest.param("", None, id="nothing"),
        pytest.param("cart.test.ts", None, id="a test"),
        pytest.param("node_modules/lib/x.js", None, id="a library"),
    ],
)
def test_a_name_leads_to_one_file(name: str, found: str | None, tmp_path: Path) -> None:
    sources = _sources(
        tmp_path,
        "web/src/cart.ts", "web/src/cart.test.ts", "web/src/pay.js", "web/src/index.ts", "web/admin/index.ts",
        "node_modules/lib/x.js",
    )  # fmt: skip

    assert sources.find(name) == found


def test_nothing_outside_of_the_project_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret.js").write_text("let secret;")
    root = tmp_path / "project"
    root.mkdir()
    (root / "link.js").symlink_to(tmp_path / "secret.js")
    (root / "bytes.js").write_bytes(b"\xff\xfe")

    sources = FolderSources(root)

    assert [sources.read(name) for name in ("link.js", "../secret.js", "bytes.js", "not-there.js")] == ["", "", "", ""]


def test_customs_are_read_from_the_settings(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module", "jest": {"transform": {"x": "@swc/jest"}}}')
    (tmp_path / "tsconfig.json").write_text("{}")
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec" / "a.spec.ts").write_text("import { test } from 'vitest';")

    customs = FolderSources(tmp_path).customs

    assert customs.is_module
    assert customs.jest_transforms
    assert customs.jest_transforms_typescript
    assert customs.has_typescript
    assert customs.test_infix == ".spec"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"type": 1}', "[" * 100_000])
def test_a_package_file_that_makes_no_sense_says_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text(text)

    customs = FolderSources(tmp_path).customs

    assert not customs.is_module
    assert customs.test_infix == ".test"
