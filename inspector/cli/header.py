"""ddi-inspector header: the path of the C recorder for drivers or of the player of recordings, or a copy."""

from __future__ import annotations

import argparse
from importlib import resources
from pathlib import Path

from core.errors import BadInput
from inspector.files import write_bytes

OWN_FILE = True
RECORDER, PLAYER = "ddi_record.h", "ddi_play.h"
EXAMPLES = ("header", "header -o driver/ddi_record.h", "header --player -o tests/ddi_play.h")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("--player", action="store_true", help="the player of recordings (ddi_play.h) instead of the recorder")
    command.add_argument("-o", "--output", type=Path, metavar="OUT", help="copy it to this file; - is standard output")


def run(chosen: argparse.Namespace) -> int:
    name = PLAYER if chosen.player else RECORDER
    file = resources.files("resources") / name
    if not file.is_file():
        raise BadInput(f"this installation has no {name}")
    if chosen.output is None:
        print(file)
    else:
        write_bytes(chosen.output, file.read_bytes())
        print(chosen.output)
    return 0
