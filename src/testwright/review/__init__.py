"""Review: hold proposals until a person decides; the only way into a user's files.

In: a `Proposal`, and later somebody's decision.
Out: the file as proposed, whole, or the file as it was, whole; and a record of who decided what, and when.

Nothing else writes into a user's project. A file that changed since the diff was made is left alone.
"""
