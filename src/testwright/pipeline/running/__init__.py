"""The journey of a run: suites one after another, each event written down before it is shown, failures tried again.

`journey` runs what is planned: `event_book` writes the events down in memory and in the journal, `run_keeper` knows
where the journal and the store are, `code_version` asks git which commit is tested, and `finished_run` is what comes
out. Once the suites have ended, `after_run` heals lost elements and remembers what passing tests found, and
`failure_repeats` tries failures again (in `repeat_rounds`; `repeat_counts` says what the tries mean). `copy_run` runs
test files on a copy of the project, and `file_rerun` answers with it whether a changed test file passes.
"""
