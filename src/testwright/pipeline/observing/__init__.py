"""The journey of a session: what happened in a browser, recorded or imported, then listed, compared, driven.

`journey` records, or watches a browser that already runs: `open_recording` is a recording that goes on, and
`capture_settings` what the project's settings say of it. `step_file` holds steps that drive a recording; another
process sends `live_commands` to its browser, with what the `live_file` says. `session_import` reads files of other
tools.

A kept session is read by `event_listing` (with `event_rows`), `error_bundle`, `page_outline` and `error_clusters`;
`baseline_of_session` and `baseline_differences` compare it with how it was.
"""
