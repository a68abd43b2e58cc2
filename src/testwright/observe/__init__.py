"""Observe: turn what happened in a browser into values: a page into a `DomSnapshot`. Home of Playwright.

Pages come from a running browser, from an HTML file, and from the traces that Playwright leaves behind.
"""
