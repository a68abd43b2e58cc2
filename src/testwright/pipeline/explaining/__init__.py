"""The journey of a failure: from a text or an attempt to a verdict, and to the cause that many failures share.

`journey` explains the tests that failed in a run, `printed_failures` the text of a log without a run, and
`classify_request` and `classify_answer` are the two ends of `test_classify`.
"""
