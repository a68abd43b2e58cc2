"""The journey of a run: suites one after another, each event safely written, what failed looked at again."""
