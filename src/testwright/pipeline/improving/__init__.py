"""The feedback loop: what a run says, and for each failure who takes it from here.

`analysed_runs` gives a run with a verdict for each failure; `journey` plans a step for each, along one of the `routes`.
`heals_of_run` finds the heal that was proposed for a test, `bug_note` says in short what is wrong with the product, and
`loop_report` is what comes out. `rewritten_tests` turns steps into drafts for review, and `engine_rewriter` generates
those tests again that Testwright had generated.
"""
