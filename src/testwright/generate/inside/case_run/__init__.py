"""Run one case, and keep the live objects that it gave and changed."""
