"""The feedback loop: what a run says, and for each failure who takes it from here."""
