"""Masking: keep secrets out of everything that is written down.

Three layers. What is secret by its place (a password field, an Authorization header, a session cookie) is masked there
and remembered; every remembered value is then replaced wherever it turns up, in all its usual encodings; texts that
look like a secret of some kind are masked last. The value goes, the words around it stay.

Remembered values live in memory only. What is written is a name, and nothing from which the value could be found again.
"""
