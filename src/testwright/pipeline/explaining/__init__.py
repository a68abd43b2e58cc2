"""The journey of a failure: from a text or an attempt to a verdict, and to the cause that many failures share.

`journey` explains the tests that failed in a run. `failed_tests` finds them, `failure_reader` takes apart what their
runners said, and `attempt_endings` speaks where no text does. `page_evidence`, `heal_evidence` and `history_evidence`
add what else is known; `run_wide_causes` weighs failures that came together, and `shared_causes` says which of them
have one cause. `explanation` is what comes out. `printed_failures` explains the text of a log, without a run;
`classify_request` and `classify_answer` are the two ends of `test_classify`.
"""
