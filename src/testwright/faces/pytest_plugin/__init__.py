"""Healing within a session that pytest itself has started: `pytest --testwright`."""
