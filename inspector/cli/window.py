"""ddi-inspector-window: the window.  On Windows this program has no console; a log file replaces standard output."""

from __future__ import annotations

import sys

from core.errors import BadInput
from inspector import log
from inspector.cli.main import BAD_INPUT
from inspector.cli.open import load_window


def main() -> int:
    """Returns the exit code."""
    log.replace_missing_streams()
    try:
        return int(load_window().main(sys.argv[1:]) or 0)
    except BadInput as error:
        print(f"ddi-inspector: {error}", file=sys.stderr)
        return BAD_INPUT
