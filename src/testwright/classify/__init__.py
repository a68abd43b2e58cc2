"""Classify: say why a test failed, how sure we are and on what evidence; tell flaky from broken over history.

In: failures as runners report them, and histories of attempts. Out: verdicts with the lines they rest on.

Nothing here runs a test, reads a file or hides a failure: a verdict stands beside it.
"""
