"""Agent skills and their tests: which skills a project has, which test files are theirs, and running those.

A skill is a folder with a `SKILL.md` (or one of its relatives) below `skills/` or `.AchillesSkills/`; its tests are
`tests/<folder's name>.tests.mjs` and `tests/<folder's name>_tests.py`. `frameworks.skill` runs them as part of a
whole run; the functions here serve those who want skills alone: `catalog` finds, `file_runner` runs one file in a
process of its own, `warm_worker` many in as few processes as will do, `suite_runner` many with one summary.
"""

DEFAULT_TIMEOUT_MS = 30_000  # for a file of skill tests
