"""The command line. Each command lives in a module of its own, which is imported only when that command runs."""
