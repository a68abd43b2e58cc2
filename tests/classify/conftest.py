"""The suites in `failing` fail on purpose, and are run from a copy."""

collect_ignore = ["failing"]
