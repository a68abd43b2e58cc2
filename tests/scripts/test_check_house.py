"""The check of the house reports what has no reason, and nothing else."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHECK = runpy.run_path(str(ROOT / "scripts" / "check_house.py"))


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        pytest.param("import json\n", [], id="at the top"),
        pytest.param("def f():\n    import json\n", [2], id="no reason"),
        pytest.param("def f():\n    import json  # needed\n", [2], id="another comment"),
        pytest.param("def f():\n    import json  # late: \n", [2], id="an empty reason"),
        pytest.param("def f():\n    import json  # late: start-up\n", [], id="on its line"),
        pytest.param("def f():\n    # late: start-up\n    import json\n\n    import a\n", [], id="above a block"),
        pytest.param("def f():\n    # late: start-up\n    import json\n    f()\n    import a\n", [5], id="block ends"),
        pytest.param("class A:\n    async def f(self):\n        import json\n", [3], id="a method"),
    ],
)
def test_an_import_inside_a_function_needs_a_reason(tmp_path: Path, source: str, lines: list[int]) -> None:
    file = tmp_path / "module.py"
    file.write_text(source)

    found = [line.split(": ")[0] for line in CHECK["late_imports_without_reason"](file)]

    assert found == [f"{file}:{line}" for line in lines]


def test_a_module_of_more_than_500_lines_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text("pass\n" * 500)
    assert list(CHECK["too_long"](file)) == []

    file.write_text("pass\n" * 501)
    assert len(list(CHECK["too_long"](file))) == 1
