"""The journey of generated tests: from a Python module to a suite that came through the gates."""
