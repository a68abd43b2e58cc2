"""Agent skills and their tests: which skills a project has, which test files are theirs, and running those.

A skill is a folder with a `SKILL.md` (or one of its relatives) below `skills/` or `.AchillesSkills/`; its tests are
`tests/<folder's name>.tests.mjs` and `tests/<folder's name>_tests.py`. `frameworks.skill` runs them as part of a
whole run; the functions here serve those who want skills alone: `catalog` finds, `running` runs one file in a process
of its own, `warm` many in as few processes as will do, `suite` many with one summary.
"""
