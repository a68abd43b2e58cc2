"""The journey of a run: suites one after another, each event written down before it is shown, failures tried again.

`journey` runs what is planned. Once the suites have ended, `after_run` heals lost elements and remembers what passing
tests found, and `failure_repeats` tries failures again.
"""
