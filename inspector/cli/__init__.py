"""One subcommand per question.  Imports the window only when it is asked for, by name.

    ddi-inspector FILE                          opens the window
    ddi-inspector info|dump|state|image|convert|report|check|open FILE ...

Exit codes: 0; 1 when `check` found an error; 2 for bad input, with one sentence on stderr; 130 when cancelled.
"""

from inspector.cli.main import main

__all__ = ["main"]
