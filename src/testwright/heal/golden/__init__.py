"""Golden screens of terminal programs: tell a screen that only looks different from one that says something else."""
