"""Turn what is known of a piece of code into tests that a person would have written."""
