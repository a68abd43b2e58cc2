"""The journey from a session to a web test: `test_from_context`."""
