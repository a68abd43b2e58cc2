"""Testwright keeps a project's tests alive."""

__version__ = "0.1.0"
