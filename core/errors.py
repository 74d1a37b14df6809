"""What can go wrong, drawn once.

    DdiInspectorError
    ├── BadInput            bytes, files or arguments given to us cannot be used: one sentence naming the place
    │   ├── TokenError      a DP2 stream breaks off or makes no sense (.offset: bytes from the start of the command buffer)
    │   ├── ShaderError     shader code that the DX8 limits or encodings forbid (.offset: dwords from the version token)
    │   ├── TraceError      an API trace cannot be read
    │   └── TapeError       a capture file cannot be read or written
    └── Cancelled           the user asked to stop

What the captured *program* or *driver* did wrong is not an exception but a value: `core.ddi.check.Finding`.
"""

from __future__ import annotations


class DdiInspectorError(Exception):
    """Everything this project raises on purpose."""


class BadInput(DdiInspectorError):
    """Input that cannot be used; the message is one sentence that names file and place."""


class TokenError(BadInput):
    """A DP2 stream that breaks off or makes no sense."""

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
