"""Pipeline: the order of the stages, one folder for each journey, which its `journey.py` tells from top to bottom.

* `observing`: what happens in a browser becomes a session.
* `generating`: a module becomes tests; `web`: a session does.
* `running`: tests become results, every one written down before it is shown.
* `explaining`: a failure becomes a verdict; `healing`: a lost element becomes a patch.
* `improving`: the failures of a run become steps, each with someone who takes it from there.

The pipeline draws the arrows between rooms that do not know one another.
"""
