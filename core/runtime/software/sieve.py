"""Tokens not sent to a driver without vertex processing: removes those that only vertex processing needs from a stream.

A DirectX 7 driver is not sent states and tokens of DirectX 8 either.  The runtime's own tokens stay.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.ddi.stream import dp2
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID
from core.spec.tokens import TOKENS, Op

VERTEX_PROCESSING = (
    Op.SETVERTEXSHADER, Op.CREATEVERTEXSHADER, Op.DELETEVERTEXSHADER, Op.SETVERTEXSHADERCONST, Op.SETSTREAMSOURCE,
    Op.SETSTREAMSOURCEUM, Op.SETINDICES, Op.CREATELIGHT, Op.SETLIGHT, Op.SETMATERIAL, Op.SETCLIPPLANE,
)  # fmt: skip
HIDDEN = np.zeros(256, bool)
HIDDEN[[int(op) for op in VERTEX_PROCESSING]] = True
LATE = np.array([op in TOKENS and TOKENS[op].since >= 8 for op in range(256)])
LAST_STATE = RENDER_STATE_ID["CLIPPLANEENABLE"]  # of DirectX 7
LAST_STAGE_STATE = TEXTURE_STAGE_STATE_ID["TEXTURETRANSFORMFLAGS"]
WRAPS = range(RENDER_STATE_ID["WRAP0"], RENDER_STATE_ID["WRAP7"] + 1)
COORDINATES = TEXTURE_STAGE_STATE_ID["TEXCOORDINDEX"]


class Own(NamedTuple):
    """A token of one record that stays as it is: where its command begins, bytes of its record, the record's number.

    In the command buffer it is padded to a multiple of four; DirectX 7's tokens are not.
    """

    begin: int
    size: int
    record: int


def sift(commands: bytes, calls: np.ndarray, own: list[Own], legacy: bool) -> tuple[bytes, np.ndarray]:
    """The stream without what the driver is not sent, and the API calls of the records that are left.

    `own`: what the runtime made for the driver, in order; `legacy`: it is a driver of DirectX 7.
    """
    out, kept = bytearray(), []
    at = record = 0
    for one in own:
        piece, chosen = _sifted(commands[at : one.begin], legacy)
        out += piece
        kept += [calls[record : one.record][chosen], calls[one.record : one.record + 1]]
        _append(out, commands, one)
        at, record = one.begin + 4 + (one.size + 3 & ~3), one.record + 1
    piece, chosen = _sifted(commands[at:], legacy)
    kept.append(calls[record : record + len(chosen)][chosen])
    return bytes(out + piece), np.concatenate(kept)


def _append(out: bytearray, commands: bytes, one: Own) -> None:
    """A token of the runtime's; vertices within the stream begin at a multiple of four."""
    out += commands[one.begin : one.begin + 4]
    body = commands[one.begin + 4 : one.begin + 4 + one.size]
    if commands[one.begin] == Op.TRIANGLEFAN_IMM:
        edges = 4
        out += body[:edges] + bytes(-(len(out) + edges) & 3) + body[edges:]
    else:
        out += body


def _sifted(commands: bytes, legacy: bool) -> tuple[bytes, np.ndarray]:
    """A piece of the program's own tokens: what is left of it, and which records those are."""
    if not commands:
        return b"", np.zeros(0, bool)
    data = np.frombuffer(commands, np.uint8)
    records = dp2.scan(data).records
    keep = ~HIDDEN[records["op"]] & ~_hidden_states(data, records, legacy)
    if legacy:
        keep &= ~LATE[records["op"]]
    if keep.all():
        return commands, keep
    out = bytearray()
    for first, last in _tokens(records):
        chosen = records[first:last][keep[first:last]]
        if len(chosen) == last - first:
            out += _whole(commands, records, first, last)
        elif len(chosen):
            head = int(chosen["token"][0])
            out += commands[head : head + 2] + len(chosen).to_bytes(2, "little")
            for one in chosen:
                out += commands[int(one["offset"]) : int(one["offset"]) + int(one["size"])]
    return bytes(out), keep


def _tokens(records: np.ndarray) -> list[tuple[int, int]]:
    """(first, past the last) record of each token."""
    starts = [*np.flatnonzero(np.diff(records["token"], prepend=-1)).tolist(), len(records)]
    return list(pairwise(starts))


def _whole(commands: bytes, records: np.ndarray, first: int, last: int) -> bytes:
    """A token with all its records."""
    return commands[int(records["token"][first]) : int(records["offset"][last - 1]) + int(records["size"][last - 1])]


def _hidden_states(data: np.ndarray, records: np.ndarray, legacy: bool) -> np.ndarray:
    """Records of states that are not sent: coordinate sets and their wrapping are the runtime's; DirectX 7 lacks those of 8."""
    hidden = np.zeros(len(records), bool)
    for op in (Op.RENDERSTATE, Op.TEXTURESTAGESTATE):
        places = np.flatnonzero((records["op"] == op) & (records["count"] > 0))
        if not len(places):
            continue
        offsets = records["offset"][places].astype(np.int64)
        pairs = data[offsets[:, None] + np.arange(8)].view("<u4")
        if op == Op.RENDERSTATE:
            hidden[places] = np.isin(pairs[:, 0], WRAPS) | (legacy & (pairs[:, 0] > LAST_STATE))
        else:
            stage, state = pairs[:, 0] & np.uint32(0xFFFF), pairs[:, 0] >> np.uint32(16)
            hidden[places] = (state == COORDINATES) & (pairs[:, 1] != stage)
            hidden[places] |= legacy & (state > LAST_STAGE_STATE)
    return hidden
