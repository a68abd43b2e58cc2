"""The journey of a session: what happened in a browser, recorded or imported, then listed, compared, driven.

`journey` records, or watches a browser that already runs. A kept session is read by `event_listing`, `error_bundle`
and `page_outline`; `session_baselines` compares it with how it was.
"""
