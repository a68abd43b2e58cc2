"""Tests from a session: what somebody did in a browser, as a test that a person would have written.

`slicing` takes the part of a session that a test is about, `planning` turns it into a `WebPlan`, which knows no
language, and `typescript`, `python` and `unit` write it down. Nothing here runs a test: that is for the pipeline.
"""
