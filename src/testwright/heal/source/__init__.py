"""Selectors in source files: found, followed to where they are written, and replaced there.

In: the bytes of test files. Out: places, and new bytes that differ from the old in one selector alone.

No file is opened and nothing is run: sources are read as syntax trees, and edits are ranges of bytes.
"""
