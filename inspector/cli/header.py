"""ddi-inspector header: where the C recorder for drivers lies, or a copy of it."""

from __future__ import annotations

import argparse
from importlib import resources
from pathlib import Path

from core.errors import BadInput
from inspector.files import write_bytes

OWN_FILE = True
NAME = "ddi_record.h"
EXAMPLES = ("header", "header -o driver/ddi_record.h")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("-o", "--output", type=Path, metavar="OUT", help="copy it to this file; - is standard output")


def run(chosen: argparse.Namespace) -> int:
    file = resources.files("resources") / NAME
    if not file.is_file():
        raise BadInput(f"this installation has no {NAME}")
    if chosen.output is None:
        print(file)
    else:
        write_bytes(chosen.output, file.read_bytes())
        print(chosen.output)
    return 0
