"""Sessions that others captured: HAR files, Playwright's traces, recordings of Chrome's DevTools.

In: a file from a stranger, and a `Masker`. Out: a `SessionContent` in memory, every text of it masked.

Nothing is written here, so that a file that turns out to be broken leaves nothing behind. What a kind of file cannot
contain is said in words (`gaps`), never made up.
"""
