"""Unit tests from an error, for Vitest and Jest: the project's own module, called or loaded with what was recorded.

`writing.write_unit_test` takes a plan and the project's sources. What can be written hangs on the error's stack:
`approach` chooses, and says why where nothing honest can be written. An import is never made up.
"""
