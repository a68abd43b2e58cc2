"""What runs inside a project's own runtime: reporters and small runners, one for each framework.

The Python files here run in the project's interpreter, maybe an older one, with nothing of ours
installed: standard library only, no import of another `testwright` module.
"""
