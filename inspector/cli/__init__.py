"""The commands, one per question.  Imports the window only on request, by name.

    ddi-inspector FILE                          open the window
    ddi-inspector COMMAND FILE ...              ask a question; inspector.cli.arguments lists the commands

Exit codes: 0; 1 when the answer is a difference, an error or a refusal (check, caps, compare, bisect, verify); 2 for bad
input, with one sentence on stderr; 70 for an internal error, also in one sentence (in full with
DDI_INSPECTOR_TRACEBACK=1); 130 when cancelled.
"""

from inspector.cli.main import main

__all__ = ["main"]
