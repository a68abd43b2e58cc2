"""The gates: what a generated test file must have shown, by really running, before anybody is asked to read it."""
