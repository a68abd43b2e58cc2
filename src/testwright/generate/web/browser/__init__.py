"""Browser tests from a plan, for Playwright: in TypeScript, and in Python for pytest."""
