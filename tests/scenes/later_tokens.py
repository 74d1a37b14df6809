"""One scene for each token of DirectX 9: it decodes, the driver refuses it, what stood before has its effect."""

from __future__ import annotations

from core.ddi.stream import dp2
from core.spec.enums import HResult
from core.spec.tokens import TOKENS, Token
from tests.scenes.kit import GREEN, RED, SIZE, Stage, add, picture


def refused(row: Token) -> None:
    """A CLEAR, the token, another CLEAR: the driver stops at the token."""

    def make(stage: Stage) -> None:
        stream = bytearray()
        dp2.emit(stream, "CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=GREEN)
        at = dp2.emit(stream, row.op) if row.repeat != "none" else len(stream)
        if row.repeat == "none":
            stream += bytes((row.op, 0, 1, 0))
        dp2.emit(stream, "CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=RED)
        call = stage.stream(bytes(stream), expect=HResult.D3DERR_COMMAND_UNPARSED)
        assert call.out["error_offset"] == at
        stage.sees(picture(ground=GREEN))
        if row.repeat == "none":
            stage.finds("unknown-token")
        else:
            stage.finds("later-token")
            stage.says(row.name, back=1)

    add(f"later_tokens/{row.name}", make, f"token:{row.name}", "rule:later-token")


for one in TOKENS.values():
    if one.since >= 9:
        refused(one)
