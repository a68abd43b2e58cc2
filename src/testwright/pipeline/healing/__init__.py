"""The heal pass of a run: find each lost element again, try the mended test, and propose the patch.

In: a run whose suites have ended. Out: one more attempt for each test that passes with its selector mended, a proposal
for each file, and a sentence for each failure that was looked at and not healed. Nothing here changes a test.
"""
