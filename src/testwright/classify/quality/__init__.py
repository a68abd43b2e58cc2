"""Quality: what the failures of a run, or of many, have in common, and what to look at first.

In: results with the verdicts on them. Out: counts, insights that name the tests behind them, trends and pictures.

No insight advises a looser check, a longer wait or fewer tests: that would make the numbers better and the tests worse.
"""
