"""The arguments of the command line.  Each command declares its own, in its own file."""

from __future__ import annotations

import argparse
import importlib
import keyword
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.spec.subresource import Subresource
from inspector.log import LEVELS
from inspector.version import VERSION

COMMANDS = {
    "info": "show what a capture contains",
    "dump": "list events: number, driver call, token, API call",
    "find": "list the events that match a filter",
    "query": "run SQL over events, states, draws, objects, findings and API calls",
    "statistics": "show counts per capture, frame or draw",
    "state": "show device state after an event, and what set each value",
    "writes": "list every write to one state",
    "object": "show the history of a surface, buffer, shader, palette or light",
    "resources": "list the surfaces, buffers, shaders, palettes and lights that an event uses",
    "frames": "list frames; save them as images or as a contact sheet, or one being drawn as an animation",
    "textures": "save every texture that is used once, named after its contents, with an index of its uses",
    "buffer": "show or save the bytes of a vertex or index buffer after an event",
    "contents": "show what a buffer, palette, shader, state set, patch or light holds; what a draw reads",
    "image": "save a surface after an event as an image, as stored or with an overlay",
    "surface": "show the range, histogram and texels of a surface; save all its levels, faces and slices, or a formula over it",
    "vertices": "export the vertices of a draw as a table (CSV) or shape (OBJ, PLY, glTF)",
    "shape": "save a picture of the shape of a draw from any direction",
    "history": "explain every fragment of a pixel, and the primitives that missed it",
    "touched": "list the events that changed a surface or rectangle",
    "pixels": "list the pixels of a draw, or the primitive at a pixel",
    "compare": "compare two events, draws, frames or captures (exit code 1 if they differ)",
    "what-if": "render with some tokens, states, textures or shaders changed",
    "assert": "check pixels, states, an image, the number of events, findings (exit code 1 if a check fails)",
    "bisect": "find the token and primitive that made a pixel or surface wrong (exit code 1 if it is wrong)",
    "verify": "hash every surface after every token, draw or frame (exit code 1 if compared hashes differ)",
    "step": "step through one vertex or pixel of a draw, in its shader or the fixed function",
    "convert": "convert a trace, a recording or a damaged capture to a .ddicap, or any of them to a .ddirec",
    "script": "save a draw or frame as a Python program that draws it again (exit code 1 if it does not)",
    "trim": "save some frames as a capture that draws the same (exit code 1 if it does not)",
    "report": "write an HTML report on a capture, draw, pixel, comparison or driver, or a bug bundle",
    "caps": "show a driver's capabilities and whether it qualifies for DirectX 8 (exit code 1 if not)",
    "driver": "list what the driver did: presentation, stalls, renames, patches, DXGI resources",
    "timing": "show how long the replay of each draw or frame takes",
    "notes": "list, add, change, remove, save and load notes, which the window shows as bookmarks",
    "leaks": "list objects that are never destroyed (exit code 1 if there are any)",
    "check": "list the rules that the application or driver broke (exit code 1 if any is an error)",
    "batch": "run a command for many captures, on all cores or on a Dask cluster",
    "completion": "print the script with which bash, zsh, fish, PowerShell or tcsh completes commands",
    "header": "show where the C recorder for drivers is, or copy it",
    "python": "run a Python program that imports ddi_inspector",
    "cache": "show what the cache folder holds, clear it or limit it",
    "thumbnail": "save a small PNG of the last frame, for file managers",
    "integrate": "let file managers open captures in the window, or undo that (--remove)",
    "record": "run a program and record its calls (options before the program)",
    "open": "open the window",
}
"""Name and sentence of each command.  Its module (what_if for what-if) has `declare(command)` and `run(chosen)`, EXAMPLES;
OWN_FILE where the command declares for itself what FILE would be, SEVERAL where it takes several."""

Rect = tuple[int, int, int, int]
WITHOUT_FILE = ("report", "open", "caps", "check")
"""Commands whose FILE may be left out: the capture that comes with the program, or something else."""


def number(text: str) -> int:
    """A number that is not negative; hexadecimal with 0x."""
    try:
        value = int(text, 0)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return value


def surface(text: str) -> int | str:
    """A surface handle, or a role: render_target, back_buffer, depth, primary."""
    return text if text in ("render_target", "back_buffer", "depth", "primary") else number(text)


def numbers(text: str, count: int, form: str) -> tuple[int, ...]:
    """This many numbers with commas between them; `form` says what they are."""
    try:
        found = tuple(int(part, 0) for part in text.split(","))
    except ValueError:
        found = ()
    if len(found) != count:
        raise argparse.ArgumentTypeError(f"{text!r} is not {form}")
    return found


def pixel(text: str) -> tuple[int, int]:
    """Of "40,52": x, y."""
    x, y = numbers(text, 2, "a pixel: X,Y")
    return x, y


def rectangle(text: str) -> Rect:
    """Of "0,0,64,48": left, top, right, bottom."""
    left, top, right, bottom = numbers(text, 4, "a rectangle: LEFT,TOP,RIGHT,BOTTOM")
    if not (0 <= left < right and 0 <= top < bottom):
        raise argparse.ArgumentTypeError(f"{text} is empty")
    return left, top, right, bottom


def color(text: str) -> tuple[int, ...]:
    """Of "29,37,56": red, green, blue, and alpha if it is there; 0..255."""
    return numbers(text, 3 + (text.count(",") == 3), "a colour: R,G,B or R,G,B,A")


def share(text: str) -> float:
    """Of "0.5%" or "0.005": a part of all pixels, 0..1."""
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share: 0.5% or 0.005")
    return value


def leniency(command: argparse.ArgumentParser) -> None:
    """How far a picture may be from a reference image."""
    command.add_argument("--tolerance", type=number, default=0, help="allowed error per channel (default: 0)")
    command.add_argument(
        "--allow", type=share, default=0.0, metavar="SHARE", help="share of pixels that may differ by more, such as 0.5%%"
    )
    command.add_argument(
        "--ignore-edges", action="store_true", help="allow edges of the reference image to be off by one pixel"
    )


def module(command: str) -> Any:
    """The module of a command; assert_ for one whose name is a word of Python's."""
    return importlib.import_module(f"inspector.cli.{command.replace('-', '_')}{'_' * keyword.iskeyword(command)}")


def parser() -> argparse.ArgumentParser:
    """The whole command line; a command's module is imported when it is chosen."""
    top = argparse.ArgumentParser(
        "ddi-inspector",
        description="A frame debugger for Direct3D 8 and older.  FILE is a trace, a driver's recording (.ddirec) or a .ddicap.",
        epilog="Without a command, FILE is opened in the window.",
    )
    top.add_argument("--version", action="version", version=f"DDI Inspector {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=CommandParser)
    for name, text in COMMANDS.items():
        commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".").command = name
    return top


def whole_parser() -> argparse.ArgumentParser:
    """The command line with every command's arguments declared, for code that reads all of them."""
    top = parser()
    commands = next(action for action in top._actions if isinstance(action, argparse._SubParsersAction))
    for command in commands.choices.values():
        command.declare_all()
    return top


SEVERAL_FILES = "one capture or several; - is standard input"
LOG = f"log to stderr from this level up: {', '.join(LEVELS)} (default: warning)"


class ExamplesFormatter(argparse.HelpFormatter):
    """Keeps the lines of examples as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith("examples:") else super()._fill_text(text, width, indent)


class CommandParser(argparse.ArgumentParser):
    """The parser of one command, which declares its arguments when they are wanted."""

    command = ""
    passes_on = False
    """Whether what follows -- is for another command: `arguments`."""

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        self.declare_all()
        words = list(sys.argv[1:] if args is None else args)
        if self.passes_on and "--" in words:
            at = words.index("--")
            self.set_defaults(arguments=words[at + 1 :])
            words = words[:at]
        return super().parse_known_args(words, namespace)

    def declare_all(self) -> None:
        """Declares the command's arguments, once."""
        if self.command:
            chosen = module(self.command)
            if getattr(chosen, "SEVERAL", False):
                many = "*" if self.command in WITHOUT_FILE else "+"
                self.add_argument("files", type=Path, metavar="FILE", nargs=many, help=SEVERAL_FILES)
            elif not getattr(chosen, "OWN_FILE", False):
                optional = "?" if self.command in WITHOUT_FILE else None
                self.add_argument("file", type=Path, metavar="FILE", nargs=optional, help="a capture; - is standard input")
            self.add_argument("--log", choices=LEVELS, metavar="LEVEL", help=LOG)
            chosen.declare(self)
            if examples := getattr(chosen, "EXAMPLES", ()):
                self.epilog = "\n".join(["examples:", *(f"  ddi-inspector {line}" for line in examples)])
                self.formatter_class = ExamplesFormatter
            self.command = ""


def place(command: argparse.ArgumentParser) -> None:
    """Where to look; at the last draw when nothing is said."""
    where = command.add_mutually_exclusive_group()
    where.add_argument("--event", type=number, help="after this event")
    where.add_argument("--frame", type=number, help="after this frame")
    where.add_argument("--source-call", type=number, help="after this API call")


def subresource(command: argparse.ArgumentParser) -> None:
    """Which part of which surface; `where` reads it."""
    roles = "handle, or render_target, back_buffer, depth, primary"
    command.add_argument("--surface", type=surface, default="render_target", help=roles)
    for name in ("level", "face", "slice"):
        command.add_argument(f"--{name}", type=number, default=0, help=f"{name} of the surface (default: 0)")
    command.add_argument("--sample", type=number, help="sample of a multisampled surface (default: all, resolved)")


def where(chosen: argparse.Namespace) -> Subresource:
    """The arguments declared by `subresource`."""
    return Subresource(chosen.surface, chosen.level, chosen.face, chosen.slice, chosen.sample)


def output(command: argparse.ArgumentParser, *kinds: str, text: str = "", option: str = "--output") -> None:
    """-o OUT: its suffix decides which of the formats of these kinds is written (inspector.exports.formats)."""
    from inspector.exports.formats import endings  # with much behind it, which only some commands need

    names = ("-o", option) if option == "--output" else (option,)
    help = f"{text}{'; ' if text else ''}{endings(*kinds)}; - is standard output"
    command.add_argument(*names, type=Path, metavar="OUT", help=help.replace("%", "%%"))


def json_option(command: argparse.ArgumentParser, what: str = "JSON") -> None:
    """--json"""
    command.add_argument("--json", action="store_true", help=f"{what} on standard output")
