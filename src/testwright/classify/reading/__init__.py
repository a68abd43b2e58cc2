"""Reading: take a failure's text apart. Everything later works on the parts, never on the raw text.

`lines` cleans the text and tells what each line is; `frames` reads stack frames; `playwright_parts` and `other_parts` know
the forms of the frameworks; `taking_apart` puts the record together.
"""
