"""Selectors: read them in any spelling, try them on a page without a browser, choose and write new ones.

`selector_parser` reads, `selector_matcher` tries, `selector_choice` finds the best new one for an element, and
`spelling` writes.
"""
