"""How much memory and disk looking back may take: settings, by argument or by the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import BadInput

MEGABYTE = 1 << 20
KEYFRAMES, LOG, DISK = "DDI_INSPECTOR_KEYFRAMES_MB", "DDI_INSPECTOR_LOG_MB", "DDI_INSPECTOR_SIDE_MB"


@dataclass(frozen=True, slots=True)
class Budgets:
    """Bytes.  keyframes: of all snapshots together.  log: of the logs of frames; a frame whose log is longer is logged in
    pieces.  disk: of the keyframes kept in a capture's side cache; 0: none."""

    keyframes: int = 512 * MEGABYTE
    log: int = 256 * MEGABYTE
    disk: int = 256 * MEGABYTE

    @classmethod
    def of_environment(cls, variables: Mapping[str, str] = os.environ) -> Budgets:
        """The usual ones, but for what the environment says, in megabytes.  Raises BadInput for what is not a number."""
        usual = cls()
        return cls(
            _megabytes(variables, KEYFRAMES, usual.keyframes), _megabytes(variables, LOG, usual.log),
            _megabytes(variables, DISK, usual.disk),
        )  # fmt: skip


def _megabytes(variables: Mapping[str, str], name: str, usual: int) -> int:
    text = variables.get(name, "")
    if not text:
        return usual
    if not text.isdecimal():
        raise BadInput(f"{name} is {text!r}: not a number of megabytes")
    return int(text) * MEGABYTE


USUAL = Budgets()
