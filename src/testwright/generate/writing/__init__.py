"""The writer: chosen cases and what was seen of them become a pytest file that a person would merge.

In: cases, the checks that held for them, and what each one proves.
Out: source text; the same cases always give the same bytes. Nothing here runs or imports the code under test.
"""
