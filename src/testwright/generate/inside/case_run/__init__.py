"""One case is run, and everything that came of it is kept while it is still alive."""
