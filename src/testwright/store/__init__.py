"""Store: keep runs, tests and proposals, and find them again, in SQLite or PostgreSQL.

A run is first a journal on disk, then rows. While tests run, each event is one appended line; at the end
the journal is taken into the database in one transaction and removed. A database that is locked, broken
or out of reach therefore loses nothing: the journal stays, and a later command takes it in.
"""
