"""Runs in the project's own interpreter, where Testwright is not installed: standard library only."""
