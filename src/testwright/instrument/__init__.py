"""Twins of a module for those who watch it: probes that tell what ran, and mutants. Standard library only.

The modules here name one another relatively: in a project's interpreter the folder may be loaded under another name,
since `testwright` itself can be the project that is looked at.
"""
