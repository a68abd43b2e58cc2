"""What a web test can be written for: one module a target.

A further target is a module here, a line in `web_targets` and a name in `WebFramework`.
"""
