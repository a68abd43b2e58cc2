"""Promises that code makes about itself, and inputs for which it does not keep them."""
