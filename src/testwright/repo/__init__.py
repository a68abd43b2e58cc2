"""Understand a Python repository: its layout, imports, symbols, tests and properties.

In: a folder, or a target in it. Out: an `ImportMap`, calls that people wrote, or a whole `ContextPack`.

Nothing of the repository is ever run, and nothing is written but a cache, into the folder that the caller names.
"""
