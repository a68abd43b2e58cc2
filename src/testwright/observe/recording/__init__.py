"""Recording: watch a browser while somebody uses it, and turn what happens into the events of a session.

`notebook` is what all watchers write to. `hands` sees what the person does; `network`, `sockets`, `console`, `errors`
listen to the rest; `recorder` puts them together. Everything is masked before it leaves the notebook.
"""
