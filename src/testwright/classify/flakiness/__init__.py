"""Flakiness: tell a test that fails by chance from one that a commit broke, over the history of its runs.

In: histories of all tests of a project. Out: a verdict for each, with the rate, the interval and the reasons.
"""
