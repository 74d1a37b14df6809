"""The kinds of errors.

    DdiInspectorError
    ├── BadInput            bytes, files or arguments given to us cannot be used: one sentence naming the place
    │   ├── TokenError      a DP2 stream breaks off or is invalid (.offset: bytes from the start of the command buffer)
    │   ├── ShaderError     shader code that the DX8 limits or encodings forbid (.offset: dwords from the version token)
    │   ├── TraceError      an API trace cannot be read
    │   └── TapeError       a capture file cannot be read or written
    └── Cancelled           the user asked to stop

What the captured *program* or *driver* did wrong is not an exception but a value: `core.ddi.rules.check.Finding`.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

MOST_LISTED = 12  # names that an error lists


class DdiInspectorError(Exception):
    """Everything this project raises on purpose."""


class BadInput(DdiInspectorError):
    """Input that cannot be used; the message is one sentence that names file and place."""


class TokenError(BadInput):
    """A DP2 stream that breaks off or is invalid."""

    def __init__(self, offset: int, sentence: str) -> None:
        super().__init__(f"dp2+{offset:#x}: {sentence}")
        self.offset = offset


class ShaderError(BadInput):
    """Shader code that the DX8 limits or encodings forbid."""

    def __init__(self, offset: int, sentence: str) -> None:
        super().__init__(f"shader+{offset}: {sentence}")
        self.offset = offset


class TraceError(BadInput):
    """An API trace that cannot be read."""


class TapeError(BadInput):
    """A capture file that cannot be read or written."""


class Cancelled(DdiInspectorError):
    """The user asked to stop; partial results have been put away."""


def cannot(verb: str, path: object, error: BaseException) -> str:
    """What failed, and the system's reason: `cannot read a.trace: Permission denied`."""
    return f"cannot {verb} {path}: {getattr(error, 'strerror', None) or error}"


def unknown(kind: str, given: object, known: Iterable[object]) -> str:
    """A name that is not among the `known` ones, of which up to 12 are listed."""
    names = [str(name) for name in known]
    return f"unknown {kind} {given!r}; expected one of {', '.join(names[:MOST_LISTED])}{', ...' * (len(names) > MOST_LISTED)}"


def out_of_range(kind: str, number: int, count: int) -> str:
    """A number that does not count one of `count` things, which are numbered from 0."""
    return f"{kind} {number} is out of range ({f'0 to {count - 1}' if count else 'there are none'})"


LONGEST = 200  # characters of what a reader says: some repeat what the file holds


@contextmanager
def in_a_sentence(path: object) -> Iterator[None]:
    """Around the reading of a stranger's file: whatever its reader raises is BadInput that names the file and the place."""
    try:
        yield
    except (DdiInspectorError, AssertionError):
        raise
    except MemoryError as error:
        raise BadInput(f"{path}: not enough memory to open it") from error
    except OSError as error:
        raise BadInput(cannot("read", path, error)) from error
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}, line {place.lineno}"
        said = str(error)
        said = said if len(said) <= LONGEST else f"{said[:LONGEST]}..."
        raise BadInput(f"{path}: invalid contents ({type(error).__name__}: {said}; {where})") from error
