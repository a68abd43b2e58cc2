"""Which skills a project has, and which tests are theirs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.model.errors import PathNotFound
from testwright.run.project import Project
from testwright.run.skills.catalog import discover_skill_test, discover_skill_tests, skills_of

Write = Callable[[str, str], Path]


def test_a_skill_with_a_test_is_found_with_the_fields_a_caller_needs(tmp_path: Path, write: Write) -> None:
    skill = write("skills/equipment/SKILL.md", "# Equipment")
    test = write("tests/equipment.tests.mjs", "")

    (found,) = discover_skill_tests(tmp_path)

    assert found.as_dict() == {
        "skillName": "equipment",
        "shortName": "equipment",
        "skillType": "skill",
        "testFile": str(test),
        "skillDir": str(skill.parent),
    }


@pytest.mark.parametrize("file", ["tskill.md", "cskill.md", "oskill.md", "dcgskill.md", "mskill.md"])
def test_the_skill_file_gives_the_type(tmp_path: Path, write: Write, file: str) -> None:
    write(f".AchillesSkills/orders/{file}", "")
    (skill,) = skills_of(Project.at(tmp_path))
    assert skill.type == file.removesuffix(".md")


def test_a_folder_with_two_skill_files_is_one_skill(tmp_path: Path, write: Write) -> None:
    write("skills/orders/cskill.md", "")
    write("skills/orders/SKILL.md", "")
    assert [skill.type for skill in skills_of(Project.at(tmp_path))] == ["skill"]


def test_skills_are_found_at_any_depth_below_a_skills_folder(tmp_path: Path, write: Write) -> None:
    write("skills/warehouse/stock/SKILL.md", "")
    write("packages/shop/.AchillesSkills/cart/tskill.md", "")
    assert [skill.name for skill in skills_of(Project.at(tmp_path))] == ["cart", "stock"]


def test_a_skill_file_elsewhere_is_not_a_skill(tmp_path: Path, write: Write) -> None:
    write("docs/equipment/SKILL.md", "")
    write("skills/SKILL.md", "of no folder below skills")
    write("SKILL.md", "")
    write("node_modules/pack/skills/other/SKILL.md", "")
    assert skills_of(Project.at(tmp_path)) == ()


def test_two_skills_of_one_short_name_are_named_by_their_folders(tmp_path: Path, write: Write) -> None:
    write("skills/sales/report/SKILL.md", "")
    write("skills/stock/report/SKILL.md", "")
    write("skills/stock/count/SKILL.md", "")
    test = write("tests/report.tests.mjs", "")

    found = discover_skill_tests(tmp_path)

    assert [(entry.skill_name, entry.short_name, entry.test_file) for entry in found] == [
        ("skills/sales/report", "report", test),
        ("skills/stock/report", "report", test),
    ]


def test_a_skill_may_have_a_test_in_each_language(tmp_path: Path, write: Write) -> None:
    write("skills/cart/SKILL.md", "")
    write("tests/cart.tests.mjs", "")
    write("tests/cart_tests.py", "")
    assert [found.test_file.name for found in discover_skill_tests(tmp_path)] == ["cart.tests.mjs", "cart_tests.py"]


def test_without_a_tests_folder_nothing_is_found(tmp_path: Path, write: Write) -> None:
    write("skills/cart/SKILL.md", "")
    assert discover_skill_tests(tmp_path) == []


def test_a_test_without_a_skill_is_not_a_skill_test(tmp_path: Path, write: Write) -> None:
    write("tests/cart.tests.mjs", "")
    write("skills/orders/SKILL.md", "")
    assert discover_skill_tests(tmp_path) == []


def test_one_skill_is_found_by_its_name_or_its_short_name(tmp_path: Path, write: Write) -> None:
    write("skills/sales/report/SKILL.md", "")
    write("skills/stock/report/SKILL.md", "")
    write("tests/report.tests.mjs", "")

    by_name = discover_skill_test(tmp_path, "skills/stock/report")
    by_short_name = discover_skill_test(str(tmp_path), "report")

    assert by_name is not None
    assert by_name.skill_dir == tmp_path / "skills/stock/report"
    assert by_short_name is not None
    assert by_short_name.skill_name == "skills/sales/report"
    assert discover_skill_test(tmp_path, "nobody") is None


def test_a_project_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(PathNotFound, match="nowhere"):
        discover_skill_tests(tmp_path / "nowhere")
