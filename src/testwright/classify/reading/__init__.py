"""Reading: take a failure's text apart. Everything later works on the parts, never on the raw text.

`cleaning` cuts the text into plain lines and keeps where they stood; `lines` tells what each line is; `frames` reads
stack frames; `headlines` and `checked` find the error and what was compared; `taking_apart` puts the record together.
`splitting` cuts the output of a whole run into the failures in it.
"""
