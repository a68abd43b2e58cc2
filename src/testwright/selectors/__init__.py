"""Selectors: read them in any spelling, try them on a page without a browser, choose and write new ones.

`parsing` reads, `matching` tries, `choosing` finds the best new one for an element, `spelling` writes.
"""
