"""Isolate: run a child process so that it can hurt nobody, and know everything it did.

In: a `Command`, its `Limits` and a `Guard`. Out: records from the child's private channel while it
runs, then a `ChildReport`: how it ended, what it printed (head, tail and a count), what it used.

Every child runs under a small supervisor process of ours. The supervisor adopts whatever the child
leaves behind, so that ending the child ends all of it, even when Testwright itself is killed.
Nothing here builds a shell string, and nothing a child prints is ever taken for a verdict.
"""
