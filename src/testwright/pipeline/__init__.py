"""Pipeline: the order of the stages, one module for each journey.

It draws the arrows between rooms that do not know one another.
"""
