"""Run: find the tests of any supported framework, run them in isolation, say what came of each.

In: a project's folder and what to run of it. Out: `Event`s while it happens, one `RunResult` at the end.

Six frameworks, one conversation: an adapter only knows how to find its suites and how to start its
runner; inside the runner a small reporter of ours speaks the same few records for all of them
(`conversation`), over a private channel. What a test prints is never taken for its result.
"""
