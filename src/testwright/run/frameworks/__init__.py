"""One adapter for each framework: where its suites are, and how its runner is started."""
