"""ddi-inspector timing: the duration of our own replay, by draw or frame."""

from __future__ import annotations

import argparse

import numpy as np

from core.errors import BadInput
from inspector.cli.arguments import json_option, number
from inspector.cli.opening import opened, print_json
from inspector.cli.tables import save_rows, table_option
from inspector.query.tables.timing import Timing

BY = ("draw", "frame")
EXAMPLES = ("timing game.trace", "timing game.trace --by frame --most 5")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("--by", choices=BY, default="draw", help="one row per draw (default) or frame")
    command.add_argument("--most", type=number, default=20, help="number of rows, slowest first (default: 20)")
    command.add_argument("--threads", type=number, help="number of drawing threads")
    table_option(command)
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    if chosen.threads == 0:
        raise BadInput("--threads: expected 1 or more")
    with opened(chosen.file) as capture:
        rows = capture.ask(Timing(chosen.threads))
        total = float(rows["seconds"].sum())
        slowest = (_frames(rows) if chosen.by == "frame" else _draws(rows))[: chosen.most]
        texts = [capture.text(row["event"]) if chosen.by == "draw" else "" for row in slowest]
    if chosen.output is not None:
        save_rows(chosen.output, slowest)
    if chosen.json:
        print_json({"seconds": total, "draws": len(rows), "slowest": slowest})
    if chosen.json or chosen.output is not None:
        return 0
    print(f"{len(rows)} draws in {1000 * total:.1f} ms")
    for row, text in zip(slowest, texts, strict=True):
        what = f"event {row['event']}" if chosen.by == "draw" else f"frame {row['frame']}"
        print(f"  {1000 * row['seconds']:9.3f} ms  {what}, {row['primitives']:,} primitives  {text}".rstrip())
    return 0


def _draws(rows: np.ndarray) -> list[dict]:
    """Slowest first."""
    order = np.argsort(-rows["seconds"], kind="stable")
    return [{name: rows[name][n].item() for name in rows.dtype.names or ()} for n in order]


def _frames(rows: np.ndarray) -> list[dict]:
    """Sums of frames, slowest first."""
    frames, place = np.unique(rows["frame"], return_inverse=True)
    seconds = np.bincount(place, rows["seconds"], len(frames))
    primitives = np.bincount(place, rows["primitives"], len(frames))
    order = np.argsort(-seconds, kind="stable")
    return [{"frame": int(frames[n]), "primitives": int(primitives[n]), "seconds": float(seconds[n])} for n in order]
