"""Heal: find where a lost element went, or say that it is gone; write the patch.

In: the element as it was last seen on a passing run, and the page as it is now.
Out: a decision that explains itself, and the edited source where the decision is to heal.

Pure: no browser, no files, no clock. Nothing here changes a test; a heal becomes a change only through `review`.
"""
