"""The journey from a session to a web test: `test_from_context`.

`request` checks what is asked, `writing` turns a session into a test, `proof` runs it against the application, and
`tool` does all of it and gives the answer.
"""
