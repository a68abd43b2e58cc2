"""Isolate: run a child process so that it can do no harm, and know everything it did.

In: a `Command`, its `Limits` and a `Guard`. Out: records from the child's private channel while it
runs, then a `ChildReport`: how it ended, what it printed (head, tail and a count), what it used.

Every child runs under a small supervisor process of ours. The supervisor adopts everything the child
leaves behind, so that ending the child ends all of it, even when Testwright itself is killed.
Nothing here builds a shell string, and nothing a child prints is ever taken for a verdict.

The modules, from us down to the command:
`child` starts `supervisor` (`supervisor_link` may have done so ahead of time), which forks and, by the level
of the guard, starts the command (`command_start`), builds namespaces around it (`namespaces`, `mounts`) or has
bubblewrap build them (`bubblewrap`); inside those, `first_process` is the first process. Right before the
command, `guard_enforcement` takes effect (`landlock`, `seccomp`). Everything from `supervisor` on is standard
library only and imports little, because every child waits for it. `available_levels` says what works here;
`sandbox` is how callers get a guard.
"""
