"""Pytest in the project's interpreter: it runs a generated file for the gates, or measures existing tests."""
