"""Model: the nouns every room shares, as frozen values, and the errors meant for a person.

Nothing in here opens a file, starts a process or imports another room.
"""
