"""Importers: read the results that other runners left in a report file.

In: a file in one of the formats below. Out: a `RunResult`, as if we had run the tests ourselves.
A report is a stranger's text: it is bounded, checked field by field, and never believed when it
contradicts itself. What does not fit is a `MalformedReport` that names the place.

One module a format; `report_reader` tells the formats apart by content.
"""
