"""Failure text: take a failure's text apart. Everything later works on the parts, never on the raw text.

`text_cleaner` cuts the text into plain lines and keeps where they stood; `line_kinds` tells what each line is;
`stack_frames` reads stack frames; `headlines` and `check_details` find the error and what was compared;
`failure_parser` puts the record together. `failure_splitter` cuts the output of a whole run into the failures in it.
"""
