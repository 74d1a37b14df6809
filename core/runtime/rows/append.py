"""Appends what `out.scratch` holds to the command buffer.  Compiled, for `convert`."""

from __future__ import annotations

import numpy as np

from core.kernels.jit import stage
from core.runtime.rows.layout import HEADER, POSITION, RECORDS

REFUSED, CHANGED = np.int64(-1), np.int64(1 << 32)
"""What stages return that do a call: REFUSED, with nothing done, if Python must, or how many tokens they made, plus CHANGED if
one is no mere repetition."""


@stage
def append(op, merge, count, source, here, out):
    """A record of this many words; to the command before, where it has the same opcode and may."""
    state, commands = here.state, out.commands
    header, p = state[HEADER], state[POSITION] >> 2
    if merge and header >= 0 and (commands[header] & 0xFF) == op and commands[header] < np.uint32(0xFFFF0000):
        commands[header] += np.uint32(0x10000)
    else:
        state[HEADER] = p
        commands[p] = op | np.uint32(0x10000)
        p += 1
    for j in range(count):
        commands[p + j] = out.scratch[j]
    state[POSITION] = (p + count) << 2
    out.sources[state[RECORDS]] = source
    state[RECORDS] += 1
