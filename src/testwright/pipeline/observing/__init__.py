"""The journey of a session: recorded or imported, shown, compared, driven."""
