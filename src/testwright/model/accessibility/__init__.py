"""What a page's elements are to those who use them: visible text, labels, ARIA role and accessible name.

In: elements as a browser, a file or a trace tells them (`RawElement`). Out: `Element`s with all of it worked out.

One computation for every source, so that pages from different sources can be compared. It follows HTML-AAM and
accname 1.2 where Playwright's `getByRole` does. Not seen: text that style sheets add (`::before`), and what people
typed into fields.
"""
