"""The journey of generated tests: from a Python module to a suite that came through the gates.

`module_plan` settles where the tests of each module go, `journey` explores, writes and judges, and `module_outcome`
says what became of each module. In between, `existing_tests` finds out what is tested already, `gate_input` is what the
gates are given, `outcome_builder` puts their answer into words, and `bug_files` shows broken promises as failing tests.
`generation_work` is what all modules share; `generated_files` writes the files, or hands them to review.
"""
