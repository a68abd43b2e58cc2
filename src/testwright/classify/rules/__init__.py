"""Rules: what one kind of evidence says about a failure. Each looks at the record, and none at the raw text.

A rule gives findings with a weight: how sure one could be with nothing else to go by. `classifier` weighs them
together.
"""
