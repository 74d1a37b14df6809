"""What can be said on the command line."""

from __future__ import annotations

import argparse
from pathlib import Path

COMMANDS = ("info", "dump", "state", "image", "convert", "report", "check", "open")

WINDOW_OPTIONS = {
    "focus": "where to look first, as in #event=812&surface=3&pixel=40,52",
    "theme": "system, dark or light",
    "screenshot": "save a picture of the window there and quit",
    "panel": "the panel to bring forward for the screenshot",
}
"""Options of `open` that the window reads itself."""


def number(text: str) -> int:
    """A number that is not negative; hexadecimal with 0x."""
    try:
        value = int(text, 0)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return value


def surface(text: str) -> int | str:
    """A surface handle, or a role: render_target, back_buffer, depth."""
    return text if text in ("render_target", "back_buffer", "depth") else number(text)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        "ddi-inspector",
        description="A frame debugger for Direct3D 8.  FILE is an apitrace trace or a .ddicap capture.",
        epilog="Without a command, FILE is opened in the window.",
    )
    top.add_argument("--version", action="version", version="DDI Inspector 0.1.0")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)

    info = _command(commands, "info", "what is in a capture")
    _json(info)

    dump = _command(commands, "dump", "one line per event: number, driver call, token, API call")
    dump.add_argument("--frame", type=number, help="only this frame")
    dump.add_argument("--event", type=number, help="only this event, with its fields")
    dump.add_argument("--source-call", type=number, help="only the events of this API call")
    _json(dump)

    state = _command(commands, "state", "device state after an event, and which event set it")
    _place(state)
    state.add_argument("--stage", help="only this pipeline stage, e.g. alpha_test")
    state.add_argument("--all", action="store_true", help="values at their default too")
    _json(state)

    image = _command(commands, "image", "a surface after an event, as PNG")
    _place(image)
    image.add_argument("--surface", type=surface, default="render_target", help="handle, or render_target, back_buffer, depth")
    for name in ("level", "face", "slice"):
        image.add_argument(f"--{name}", type=number, default=0)
    image.add_argument("--sample", type=number)
    image.add_argument("-o", "--output", type=Path, help="default: FILE's name with the event's number, .png")

    convert = _command(commands, "convert", "writes a trace, or a damaged capture, as a .ddicap")
    convert.add_argument("output", type=Path, help="the .ddicap to write")

    report = _command(commands, "report", "one self-contained HTML page", True)
    _place(report)
    report.add_argument("--pictures", type=number, default=12, help="how many frames are shown as pictures (12)")
    report.add_argument("-o", "--output", type=Path, help="default: FILE's name, .html")

    check = _command(commands, "check", "findings: what the program or driver did against the rules; exit code 1 for errors")
    _json(check)

    opened = _command(commands, "open", "opens the window", True)
    opened.add_argument("--event", type=number, help="an event")
    for option, text in WINDOW_OPTIONS.items():
        opened.add_argument(f"--{option}", help=text)
    return top


def _command(commands: argparse._SubParsersAction, name: str, text: str, built_in: bool = False) -> argparse.ArgumentParser:
    """A subcommand about a FILE; `built_in`: without one it is about the capture that comes with the program."""
    command: argparse.ArgumentParser = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    command.add_argument("file", type=Path, metavar="FILE", nargs="?" if built_in else None)
    return command


def _place(command: argparse.ArgumentParser) -> None:
    """Where to look; at the last draw when nothing is said."""
    where = command.add_mutually_exclusive_group()
    where.add_argument("--event", type=number, help="an event")
    where.add_argument("--frame", type=number, help="the last event of a frame")
    where.add_argument("--source-call", type=number, help="the last event an API call caused")


def _json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="JSON on standard output")


