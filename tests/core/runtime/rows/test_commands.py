"""The command buffer in the making: D3DHAL_DP2COMMAND has the opcode in its low byte and a count in its high word."""

from __future__ import annotations

import struct

from core.runtime.rows.commands import Commands
from core.spec.tokens import Op

PAIR = struct.Struct("<2I")


def test_several_records_continue_the_token_before_if_it_has_their_opcode() -> None:
    commands = Commands()
    commands.put(Op.RENDERSTATE, PAIR.pack(1, 2), 10, True)
    commands.put(Op.RENDERSTATE, PAIR.pack(3, 4) + PAIR.pack(5, 6), 11, True, 2)
    commands.put(Op.TEXTURESTAGESTATE, PAIR.pack(7, 8) + PAIR.pack(9, 10), 12, True, 2)
    made = commands.take()
    assert struct.unpack("<12I", made["commands"]) == (0x30008, 1, 2, 3, 4, 5, 6, 0x20019, 7, 8, 9, 10)
    assert struct.unpack("<5I", made["sources"]) == (10, 11, 11, 12, 12)


def test_a_count_stays_within_its_sixteen_bits() -> None:
    commands = Commands()
    commands.grow(1 << 20)
    for count in (0xFFFE, 1, 1):
        commands.put(Op.RENDERSTATE, PAIR.pack(7, 1) * count, 0, True, count)
    made = commands.take()["commands"]
    assert made[:4] == bytes((8, 0, 0xFF, 0xFF))
    assert len(made) == 4 + 0xFFFF * 8 + 4 + 8
    assert made[4 + 0xFFFF * 8 :][:4] == bytes((8, 0, 1, 0))
