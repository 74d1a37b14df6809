"""What-if: files of edits of any JSON, and edits as people write them; the capture is then asked what it looks like."""

from __future__ import annotations

import base64
import json
import random
from pathlib import Path
from typing import Any

from inspector.query.what_if.edits import KINDS, PRESETS
from inspector.query.what_if.what_if import WhatIf
from tests.fuzz.inputs import Harness, main
from tests.fuzz.opened import NAMES, capture, within
from tests.fuzz.words import NUMBERS, TEXTS, VALUES, decoded, encoded, mutated

STATES = ("ALPHAREF", "COLOROP[0]", "VIEWPORT.Width", "LIGHT.0.Diffuse", "FILLMODE", "WORLD", "c[3]", "TEXTUREMAP[0]",
          "FOG*", "ZENABLE",
          "TRANSFORM.WORLD", "CLIPPLANE[0]", "VERTEXSHADER", "PATCHSEGMENTS", "MATERIAL.Diffuse")  # fmt: skip
FIELDS = (
    "value",
    "state",
    "stage",
    "count",
    "start",
    "type",
    "color",
    "flags",
    "source",
    "destination",
    "handle",
    "width",
    "stream",
)
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
CODE = ("vs_1_1\nmov oPos, v0", "ps_1_1\nmov r0, c0", "ps_1_1\ntex t0\nmov r0, t0", "vs_1_1", "mov", "")


def some_edit(chooser: random.Random) -> str:
    """One edit as text, likely to mean something."""
    first = chooser.randrange(1500)
    when = chooser.choice(["", "", f" @ {first}..", f" @ {first}..{first + chooser.randrange(300)}", f" @ {first}"])
    return chooser.choice([
        f"disable {first}", f"disable {first}..{first + chooser.randrange(400)}",
        f"set {first}.{chooser.choice(FIELDS)}={chooser.choice([*NUMBERS[:14], 'TRIANGLELIST', '1.5 2'])}",
        f"bytes {first}+{chooser.randrange(40)}={chooser.randbytes(chooser.randrange(1, 9)).hex()}",
        f"force {chooser.choice(STATES)}={chooser.choice([*NUMBERS[:14], 'TRUE', 'WIREFRAME', '0 0 1 1'])}{when}",
        f"primitives {first}={chooser.randrange(4)}..{chooser.randrange(9)}", f"preset {chooser.choice(list(PRESETS))}{when}",
    ])  # fmt: skip


def some_value(chooser: random.Random) -> dict[str, Any]:
    """One edit as a file has it, with the fields of its kind; some of any type."""
    kind = chooser.choice(list(KINDS))
    png = chooser.choice([base64.b64encode(PNG).decode(), "AAAA", "%!PS", base64.b64encode(b"%!PS-Adobe").decode()])
    likely: dict[str, Any] = {
        "first": chooser.randrange(900), "last": chooser.choice([None, 900, 1200]), "event": chooser.randrange(1500), "at": 4,
        "name": chooser.choice(FIELDS), "value": chooser.choice(["1", 1, "0 0 1 1", [1, 2]]), "data": "AAAA", "png": png,
        "key": chooser.choice([*STATES, ["RENDERSTATE", "ALPHAREF"], ["LIGHT", 0, "Diffuse"]]), "handle": chooser.randrange(30),
        "code": chooser.choice(CODE), "level": chooser.choice([None, 0, 1, 99]), "face": None, "slice": None,
    }  # fmt: skip
    fields = {name: likely[name] for name in KINDS[kind].__dataclass_fields__}
    for _ in range(chooser.choice([0, 0, 1, 2])):
        fields[chooser.choice([*fields, "more"])] = chooser.choice([*VALUES, *TEXTS[:-1]])
    return {"kind": kind if chooser.random() < 0.95 else chooser.choice(["", "x", None, 5]), **fields}


def make(chooser: random.Random) -> bytes:
    """The name of a capture in a line, then a file or a line per edit."""
    if chooser.random() < 0.5:
        text = json.dumps({"what_if": [some_value(chooser) for _ in range(chooser.randrange(1, 4))]})
    else:
        text = "\n".join(some_edit(chooser) for _ in range(chooser.randrange(1, 4)))
    words = (*STATES, *FIELDS, *KINDS, "what_if", "[" * 5000, '{"a":' * 5000, "null", "1e999", "@", "..")
    return encoded(chooser.choice(NAMES) + "\n" + (mutated(text, chooser, words) if chooser.random() < 0.4 else text))


def run(data: bytes, folder: Path) -> None:
    name, _, text = decoded(data).partition("\n")
    if text.lstrip().startswith(("{", "[")):
        path = folder / "edits.json"
        path.write_bytes(encoded(text))
        what_if = WhatIf.load(path)
    else:
        what_if = WhatIf.of(*text.split("\n"))
    assert WhatIf.from_json(what_if.json()).json() == what_if.json()
    assert all(isinstance(str(edit), str) for edit in what_if.edits)
    view = what_if.open(capture(name if name in NAMES else "tokens"))
    last = len(view.events) - 1
    view.image(last, "back_buffer", cancel=within(3.0))
    view.state(last).rows()
    view.event(last // 2)


HARNESS = Harness("what_ifs", make, run, 12)

if __name__ == "__main__":
    main(HARNESS)
