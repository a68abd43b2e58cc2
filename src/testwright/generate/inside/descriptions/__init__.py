"""What was seen of a run is turned into checks: expressions that a test may assert."""
