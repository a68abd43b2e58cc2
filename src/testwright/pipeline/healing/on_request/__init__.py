"""`test_heal`: analyze or repair a test file, or a folder of them, against one page."""
