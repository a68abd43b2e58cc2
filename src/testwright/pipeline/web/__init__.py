"""The journey from a session to a web test: `test_from_context`.

`request` is what may be asked, `session_material` the part of the session that it is about, and `web_test_writer` turns
both into a test (`project_sources` reads the code that a unit test is about, `output_folder` says where it belongs).
`proven_test` decides whether the test can be run, `proof` runs it against the application until it is proven or known
not to be, and `trial_runner` does one such run on a copy of the project. `web_test_proposal` queues the test for
review, `answer` is what comes back, and `web_test_tools` is what all of this needs of the project. `journey` puts them
in order.
"""
