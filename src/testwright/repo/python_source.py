"""Read Python files the way Python does, and say plainly what is wrong with one that it could not read."""

import ast
import io
import tokenize
import warnings
from pathlib import Path

from testwright.model.errors import InvalidSource, NotARegularFile, PathNotFound, PathUnreadable, TooLarge

MOST_BYTES = 8 << 20  # generated tables can be large; beyond this a file is data, not something to test


def read_bytes(file: Path) -> bytes:
    try:
        if file.is_dir():
            raise NotARegularFile(f"{file} is a folder.", next_step="Name a Python file in it.")
        if file.exists() and not file.is_file():  # a pipe would keep its reader waiting without end
            raise NotARegularFile(f"{file} is a pipe, socket or device.", next_step="Name a Python file.")
        if file.stat().st_size > MOST_BYTES:
            raise TooLarge(f"{file} is larger than {MOST_BYTES >> 20} MiB.", next_step="Name a smaller file.")
        return file.read_bytes()
    except FileNotFoundError as error:
        raise PathNotFound(f"There is no file {file}.", next_step="Check the path.") from error
    except OSError as error:
        raise PathUnreadable(f"{file} cannot be read: {error.strerror}.", next_step="Check its permissions.") from error


def decode_source(raw: bytes, file: Path) -> str:
    """The text of a Python file, in the encoding that its first lines declare."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        return io.TextIOWrapper(io.BytesIO(raw), encoding=encoding).read()
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        raise InvalidSource(
            f"{file} is not text in the encoding it declares: {error}.", next_step="Save it as UTF-8."
        ) from error


def parse_text(text: str, file: Path) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an old escape in somebody's string is not our news
            return ast.parse(text, filename=str(file))
    except SyntaxError as error:
        where = f"line {error.lineno}" if error.lineno else "somewhere"
        raise InvalidSource(
            f"{file} is not valid Python, {where}: {error.msg}.", next_step="Mend it, or name another file."
        ) from error
    except (ValueError, RecursionError, MemoryError) as error:  # null bytes; nesting beyond the parser's stack
        raise InvalidSource(f"{file} cannot be parsed: {error}.", next_step="Name another file.") from error


def read_source(file: Path) -> str:
    return decode_source(read_bytes(file), file)


def parse_file(file: Path) -> ast.Module:
    return parse_text(read_source(file), file)
