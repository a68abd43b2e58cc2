"""What will not be the same tomorrow: ids and classes that a program made up, texts with numbers in them."""

import re

_GENERATED = re.compile(
    r"""
      :r?[0-9a-z]+:                                    # React's useId
    | \b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}            # a UUID
    | \d{4,}
    | ^(?:css|sc|jss|jsx|emotion|makeStyles|Mui\w*)-[\w-]*\d
    | ^(?:ember|ext-gen|yui_|gwt-uid-|mat-\w+-|cdk-\w+-|ng-|react-select-|downshift-|mui-|rc[-_]|el-id-)[\w:-]*\d
    | ^(?:headlessui|radix)-
    | __(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{5,}$             # a CSS module's hash
    """,
    re.VERBOSE,
)
_WORD = re.compile(r"[A-Za-z0-9]+")
_LETTER_DIGIT_CHANGES = re.compile(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_HASH_LENGTH = 5
_VOLATILE = re.compile(
    r"\d|[$€£¥%]|\b(?:ago|today|tomorrow|yesterday|loading|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
    re.IGNORECASE,
)


def looks_generated(value: str) -> bool:
    """An id, a class or a test id that the next build or the next rendering will change."""
    if _GENERATED.search(value):
        return True
    return any(
        len(word) >= _HASH_LENGTH and len(_LETTER_DIGIT_CHANGES.findall(word)) > 1 for word in _WORD.findall(value)
    )


def looks_volatile(text: str) -> bool:
    """A text that shows data: counts, prices, dates."""
    return _VOLATILE.search(text) is not None
