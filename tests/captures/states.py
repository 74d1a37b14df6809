"""Device state that another implementation was asked for, as keys and values of the scripting contract."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import inspector
from core.spec.slots import Key
from core.spec.states import RENDER_STATE_ID
from tests.conftest import CAPTURES

# defaults that are the implementation's own: a cap of the device; a debug marker that Wine starts as 0xbaadcafe
DEVICE_DEPENDENT = {"POINTSIZE_MAX", "DEBUGMONITORTOKEN"}
MATERIAL = (("Diffuse", 0, 4), ("Ambient", 4, 8), ("Specular", 8, 12), ("Emissive", 12, 16), ("Power", 16, 17))


def snapshots(file: Path) -> list[dict[str, Any]]:
    """The states of one file of state/: each names the API `call` it was asked after."""
    with gzip.open(file, "rt") as text:
        return json.load(text)["states"]


def expected(snapshot: dict[str, Any]) -> Iterator[tuple[Key, Any]]:
    """(key, value) of everything the snapshot tells and the contract names."""
    yield from parameters(snapshot["parameters"])
    told = snapshot["oracle_extra"]
    for name, matrix in told.get("transforms", {}).items():
        short = name.removeprefix("D3DTS_")
        yield ("TRANSFORM", "WORLD0" if short == "WORLD" else short), np.array(matrix, np.float32).reshape(4, 4)
    material = told.get("material_diffuse_ambient_specular_emissive_power")
    for name, start, end in MATERIAL if material else ():
        yield ("MATERIAL", name), tuple(material[start:end]) if end - start > 1 else material[start]
    for plane, values in told.get("clip_planes", {}).items():
        yield ("CLIPPLANE", int(plane)), tuple(values)


def parameters(told: dict[str, Any]) -> Iterator[tuple[Key, Any]]:
    """Render states, texture stage states and the viewport, by their header names."""
    for name, value in told.items():
        if name.startswith("D3DRS_") and name[6:] in RENDER_STATE_ID and name[6:] not in DEVICE_DEPENDENT:
            yield name[6:], value
        elif name.startswith("TextureStageState"):
            for state, each in value.items():
                yield ("TEXTURESTAGE", int(name.removeprefix("TextureStageState")), state[7:]), each
        elif name == "Viewport":
            for part, each in value.items():
                yield ("VIEWPORT", part), each


def same(ours: Any, theirs: Any) -> bool:
    """Equal as numbers; floats as float32, told with six digits or more.

    AMBIENT is told as the float that has its bits; of a NaN only that it is one.
    """
    if isinstance(theirs, float) and isinstance(ours, int):
        ours = float(np.uint32(ours).view(np.float32))
        return bool(np.isclose(ours, theirs, rtol=1e-5, atol=0, equal_nan=True))
    a, b = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-5, atol=1e-6))


def differences(capture: Any, snapshot: dict[str, Any]) -> list[str]:
    """What differs from one snapshot, a line each; empty when all agrees."""
    state = capture.state(capture.event_of_source_call(snapshot["call"]))
    return [
        f"call {snapshot['call']}: {key} is {state[key].text}, elsewhere {theirs}"
        for key, theirs in expected(snapshot)
        if not same(state[key].value, theirs)
    ]


def main(names: list[str]) -> int:
    """`python -m tests.captures.states [NAME ...]` prints the comparison."""
    wrong = 0
    for file in sorted((CAPTURES / "state").glob("*.json.gz")):
        name = file.name.removesuffix(".json.gz")
        trace = next((t for part in ("apps", "tests") if (t := CAPTURES / part / f"{name}.trace").exists()), None)
        if trace is None or (names and name not in names):
            continue
        capture = inspector.open(trace)
        told = snapshots(file)
        lines = [line for snapshot in told for line in differences(capture, snapshot)]
        wrong += len(lines)
        print(f"{name:28} {sum(len(list(expected(s))) for s in told):6} values, {len(lines)} differ", *lines[:12], sep="\n    ")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
