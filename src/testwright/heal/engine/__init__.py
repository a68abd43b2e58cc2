"""The engine: rank what may be the lost element, then decide whether to heal, to suggest or to abstain.

`traits` says what of an element is compared, `similarity` how alike two are, `tree_match` which elements of the old
page are still there, `shared_keys` what tells one element from all others, and `heal_decision` puts it together.
Weights are fixed; only the last step, from evidence to a probability, was fitted (`match_probability`).
"""
