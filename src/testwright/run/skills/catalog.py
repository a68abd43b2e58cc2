"""Which skills a project has, and which test files belong to them."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from testwright.run.project import Project, folder_of

SKILL_FOLDERS = frozenset({"skills", ".AchillesSkills"})
# In the order in which they name the type of a skill that has several.
SKILL_FILES = ("skill.md", "tskill.md", "cskill.md", "oskill.md", "dcgskill.md", "mskill.md")
TEST_FOLDER = "tests"
TEST_ENDINGS = (".tests.mjs", "_tests.py")


@dataclass(frozen=True, slots=True)
class Skill:
    name: str  # the only one of its kind in the project
    short_name: str  # the folder's name
    type: str  # the skill file's name without its ending: skill, tskill, cskill, ...
    folder: Path


@dataclass(frozen=True, slots=True)
class SkillTest:
    """A test file and the skill it is about."""

    skill_name: str
    short_name: str
    skill_type: str
    test_file: Path
    skill_dir: Path

    def as_dict(self) -> dict[str, object]:
        return {
            "skillName": self.skill_name,
            "shortName": self.short_name,
            "skillType": self.skill_type,
            "testFile": str(self.test_file),
            "skillDir": str(self.skill_dir),
        }


def skills_of(project: Project) -> tuple[Skill, ...]:
    """The project's skills by folder. Two that share a folder's name differ by their place."""
    types: dict[str, str] = {}
    for file_name in SKILL_FILES:
        for name in project.names:
            if PurePosixPath(name).name.lower() == file_name and _is_in_a_skill_folder(name):
                types.setdefault(folder_of(name), file_name.removesuffix(".md"))
    shared = Counter(PurePosixPath(folder).name for folder in types)
    return tuple(
        Skill(
            name=folder if shared[short_name] > 1 else short_name,
            short_name=short_name,
            type=type_,
            folder=project.path(folder),
        )
        for folder, type_ in sorted(types.items())
        for short_name in (PurePosixPath(folder).name,)
    )


def discover_skill_tests(root: Path | str | Project) -> list[SkillTest]:
    """Every test file of every skill. A skill may have two, one for Node and one for Python; most have one or none."""
    project = root if isinstance(root, Project) else Project.at(Path(root))
    known = frozenset(project.names)
    return [
        SkillTest(skill.name, skill.short_name, skill.type, project.path(file), skill.folder)
        for skill in skills_of(project)
        for ending in TEST_ENDINGS
        for file in (f"{TEST_FOLDER}/{skill.short_name}{ending}",)
        if file in known
    ]


def discover_skill_test(root: Path | str | Project, skill_name: str) -> SkillTest | None:
    """The test of the skill with this name; failing that, of the first whose folder is called so."""
    tests = discover_skill_tests(root)
    by_name = (test for test in tests if test.skill_name == skill_name)
    by_short_name = (test for test in tests if test.short_name == skill_name)
    return next(by_name, None) or next(by_short_name, None)


def skill_homes(project: Project) -> list[str]:
    """The folders ("" for the root) that have a folder of skills right in them, as the parts of a monorepo may."""
    homes = set()
    for name in project.names:
        parts = PurePosixPath(name).parts
        at = next((index for index, part in enumerate(parts[:-2]) if part in SKILL_FOLDERS), None)
        if at is not None:
            homes.add("/".join(parts[:at]))
    return sorted(homes)


def _is_in_a_skill_folder(name: str) -> bool:
    *around, _skill, _file = PurePosixPath(name).parts if "/" in name else ("", "")
    return not SKILL_FOLDERS.isdisjoint(around)
