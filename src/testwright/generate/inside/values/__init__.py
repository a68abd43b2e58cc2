"""Inputs: argument expressions for any callable, most promising first, and their neighbours. Standard library only."""
