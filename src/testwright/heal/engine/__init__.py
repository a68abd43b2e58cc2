"""The engine: rank what may be the lost element, then decide whether to heal, to suggest or to abstain.

`traits` says what of an element is compared, `similarity` how alike two are, `tree` which elements of the old page are
still there, `keys` what tells one element from all others, and `deciding` puts it together. Weights are fixed; only the
last step, from evidence to a probability, was fitted (`gate`).
"""
