"""16-bit PNG and OpenEXR hold what is stored: read by Qt's PNG reader, by Pillow and by OpenEXR, held against the bits."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtGui import QImage

import inspector
from core.errors import BadInput
from core.spec.formats import FORMATS
from inspector.cli import main
from inspector.exports.deep import channels_of, exr, png16
from inspector.exports.parts import parts_of
from inspector.exports.stored import numbers
from inspector.query.objects.surfaces import SurfaceInfo
from tests.inspector.conftest import ROOM

SAMPLES = ROOM.parent / "samples"


def read_by_qt(data: bytes) -> np.ndarray:
    """uint16[height, width, 4] of a PNG, as libpng reads it."""
    image = QImage.fromData(data, "PNG")
    assert not image.isNull() and image.format() in (QImage.Format.Format_RGBX64, QImage.Format.Format_RGBA64)
    wide = image.convertToFormat(QImage.Format.Format_RGBA64)
    rows = np.frombuffer(wide.constBits(), np.uint16).reshape(image.height(), -1).copy()  # the image goes
    return rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4)


def test_depth_of_24_bits_keeps_its_upper_16(room: inspector.Capture) -> None:
    moment = room.moment(int(room.draws[-1]))
    depth = numbers(moment, "depth")[0][..., 0].astype(np.float64)
    read = np.asarray(Image.open(io.BytesIO(png16(moment, "depth"))))
    assert read.dtype == np.uint16 and np.array_equal(read, np.floor(depth / (2**24 - 1) * 65535 + 0.5).astype(np.uint16))
    assert len(np.unique(read)) > 256


def test_colours_are_scaled_by_their_bits() -> None:
    """Every texture of the samples with plain unsigned colours, whatever its bits."""
    seen = set()
    with inspector.open(SAMPLES / "textures.ddicap") as capture:
        for event in capture.draws[::3].tolist():
            moment = capture.moment(event)
            for info in capture.surfaces(event):
                format = next((one for one in FORMATS.values() if one.name == info.format), None)
                names = [name for name, *_ in format.channels] if format is not None else []
                if info.kind == "buffer" or info.format in seen or names[:3] not in (["r", "g", "b"], ["b", "g", "r"]):
                    continue
                if any(kind != "unorm" for *_, kind in format.channels):  # type: ignore[union-attr]
                    continue
                seen.add(info.format)
                bits = {name: count for name, _, count, _ in format.channels}  # type: ignore[union-attr]
                raw, order = numbers(moment, info.handle)
                read = read_by_qt(png16(moment, info.handle))
                for place, name in enumerate("rgb"):
                    expected = raw[..., order.index({"r": "red", "g": "green", "b": "blue"}[name])] / (2 ** bits[name] - 1)
                    assert np.abs(read[..., place] / 65535 - expected).max() <= 0.5 / 65535 + 1e-9
    assert len(seen) >= 3, seen


def test_openexr_holds_depth_exactly_and_stencil_as_numbers(room: inspector.Capture, tmp_path: Path) -> None:
    openexr = pytest.importorskip("OpenEXR")
    moment = room.moment(int(room.draws[-1]))
    (tmp_path / "depth.exr").write_bytes(exr(moment, "depth"))
    with openexr.File(str(tmp_path / "depth.exr")) as file:
        held = {name: channel.pixels for name, channel in file.channels().items()}
    raw = numbers(moment, "depth")[0]
    assert np.array_equal(np.rint(held["Z"].astype(np.float64) * (2**24 - 1)).astype(np.int64), raw[..., 0].astype(np.int64))
    assert held["stencil"].dtype == np.uint32 and np.array_equal(held["stencil"], raw[..., 1])


def test_openexr_holds_colours(room: inspector.Capture, tmp_path: Path) -> None:
    openexr = pytest.importorskip("OpenEXR")
    event = int(room.draws[-1])
    assert main(["image", str(ROOM), "--event", str(event), "-o", str(tmp_path / "a.exr")]) == 0
    with openexr.File(str(tmp_path / "a.exr"), separate_channels=True) as file:
        held = {name: channel.pixels for name, channel in file.channels().items()}
    shown = room.image(event)
    for place, name in enumerate("RGB"):
        assert np.array_equal(np.rint(held[name] * 255).astype(np.uint8), shown[..., place])


def test_without_the_package_the_sentence_names_it(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "OpenEXR", None)
    with pytest.raises(BadInput, match=r"ddi-inspector\[exr\]"):
        exr(room.moment(int(room.draws[-1])), "depth")


def test_every_surface_of_the_samples_can_be_written() -> None:
    formats = set()
    for name in ("textures", "bump-mapping", "smoke", "palettes-and-state-sets"):
        with inspector.open(SAMPLES / f"{name}.ddicap") as capture:
            for event in capture.draws[:: max(len(capture.draws) // 12, 1)].tolist():
                moment = capture.moment(event)
                for info in capture.surfaces(event):
                    if info.kind == "buffer":
                        with pytest.raises(BadInput, match=f"no surface {info.handle}"):
                            channels_of(moment, info.handle)
                    elif info.format not in formats:
                        formats.add(info.format)
                        image = QImage.fromData(png16(moment, info.handle), "PNG")
                        assert (image.width(), image.height()) == (info.width, info.height), info
    assert {"P8", "D24S8", "X8R8G8B8"} < formats and len(formats) > 5, formats


def test_the_command_saves_stored_and_shown(room: inspector.Capture, tmp_path: Path) -> None:
    event = str(int(room.draws[-1]))
    for words, deep in (([], False), (["--stored"], True)):
        path = tmp_path / "x.png"
        assert main(["image", str(ROOM), "--event", event, "--surface", "depth", "-o", str(path), *words]) == 0
        assert (path.read_bytes()[24] == 16) == deep
    assert main(["image", str(ROOM), "--stored", "--overlay", "tests", "-o", str(tmp_path / "y.png")]) == 2


def test_all_parts_are_saved_at_once(room: inspector.Capture, tmp_path: Path) -> None:
    for sample, kind in (("smoke", "volume"), ("reflections", "cube")):
        with inspector.open(SAMPLES / f"{sample}.ddicap") as capture:
            event = int(capture.draws[-1])
            info = next(one for one in capture.surfaces(event) if one.kind == kind)
            folder = tmp_path / sample
            words = ["--event", event, "--surface", info.handle, "--all", "surface", "-o", folder]
            assert main(["image", str(SAMPLES / f"{sample}.ddicap"), *map(str, words)]) == 0
            count = sum((6 if kind == "cube" else max(info.depth >> level, 1)) for level in range(info.levels))
            files = sorted(folder.iterdir())
            assert len(files) == count > 5
            name = f"{info.label.replace('_', '-')}-{info.handle}" + "-level0" * (info.levels > 1)
            name += "-face3" if kind == "cube" else "-slice3"
            part = {"face": 3} if kind == "cube" else {"slice": 3}
            assert np.array_equal(np.asarray(Image.open(folder / f"{name}.png")), capture.image(event, info.handle, **part))


def test_all_surfaces_of_an_event_and_of_a_frame(room: inspector.Capture, tmp_path: Path) -> None:
    event = int(room.draws[-1])
    counts = {}
    for what in ("event", "frame"):
        assert (
            main(["image", str(ROOM), "--event", str(event), "--all", what, "--format", "npy", "-o", str(tmp_path / what)]) == 0
        )
        counts[what] = {path.name for path in (tmp_path / what).iterdir()}
    target = room.render_target(event)
    assert any(f"-{target}." in name or f"-{target}-" in name for name in counts["event"])
    used = {use.life.handle for use in room.ask(inspector.ResourcesOf(event)) if use.role.name == "TEXTURE"}
    assert all(any(f"-{handle}" in name for name in counts["event"]) for handle in used)
    assert counts["event"] < counts["frame"]
    assert main(["image", str(ROOM), "--all", "event", "--format", "jpg", "-o", str(tmp_path / "no")]) == 2


def test_the_levels_of_a_volume_have_half_as_many_slices_each() -> None:
    def info(handle: int, kind: str, depth: int, levels: int, faces: int) -> SurfaceInfo:
        return SurfaceInfo(handle, "texture", kind, 8, 8, depth, levels, faces, 0, "R5G6B5", "video", 0, 0)

    class Held:
        def surfaces(self, event: int) -> list[SurfaceInfo]:
            return [info(5, "volume", 4, 3, 1), info(6, "cube", 1, 2, 6), info(7, "buffer", 1, 1, 1), info(8, "2d", 1, 1, 1)]

    names = [part.name for part in parts_of(Held(), 0, {5, 6, 7})]  # type: ignore[arg-type]
    volume = [f"texture-5-level{level}-slice{number}" for level, count in enumerate((4, 2, 1)) for number in range(count)]
    assert names == volume + [f"texture-6-level{level}-face{face}" for level in range(2) for face in range(6)]
