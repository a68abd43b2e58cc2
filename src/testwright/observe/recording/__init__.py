"""Recording: watch a browser while somebody uses it, and turn what happens into the events of a session.

`recording_state` is what all watchers write to. `user_actions` sees what the person does; `network_requests`,
`web_sockets`, `console`, `page_errors` listen to the rest; `browser_watch` puts them together. Everything is masked
before it is written.
"""
