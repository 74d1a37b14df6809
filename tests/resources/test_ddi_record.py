"""The recorder for drivers: it compiles where drivers are compiled, and what it writes down is what the driver was told."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inspector
from core.spec.formats import FORMATS, Format
from inspector.cli import main
from inspector.imports.recording import Conversion
from inspector.tape.recording import RecordingFile
from tests.resources.recorder_kit import START, STRICT, compiled, example, run

MINGW = "i686-w64-mingw32-gcc"


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imports go to a folder of this test."""
    from inspector.imports import cache

    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setattr(cache, "cache_folder", lambda: folder)


@pytest.fixture(scope="module")
def triangle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of the manual, and what it recorded."""
    folder = tmp_path_factory.mktemp("recorder")
    run(compiled(folder, example()), folder / "triangle.ddirec")
    return folder / "triangle.ddirec"


def calls_of(path: Path) -> list[Any]:
    conversion = Conversion()
    with RecordingFile(path) as recording:
        calls = [call for record in recording for call in conversion.convert(record)]
    return [*calls, *conversion.finish()]


# ---- compilers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("compiler", ["gcc", MINGW])
@pytest.mark.parametrize("more", [(), ("-DDDIR_NO_STDIO", "-DDDIR_API=static", "-Wno-unused-function"), ("-DDDIR_BLOBS=0",)])
def test_it_compiles_without_a_warning(tmp_path: Path, compiler: str, more: tuple[str, ...]) -> None:
    compiled(tmp_path, START + "int main(void) { static ddir_recorder r; return r.failed; }\n", compiler, STRICT + more)


@pytest.mark.parametrize("header", ["d3dhal.h", "ddk/d3dhal.h"])
def test_it_reads_the_structures_of_the_ddk(tmp_path: Path, header: str) -> None:
    includes = "".join(f"#include <{name}>\n" for name in ("windows.h", "ddraw.h", "ddrawi.h", header))
    source = "#define DIRECT3D_VERSION 0x0800\n" + includes + "#define DDIR_DDK\n" + START
    compiled(tmp_path, source, MINGW, ("-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas"), link=False)


def test_the_manuals_program_compiles_for_windows(tmp_path: Path) -> None:
    compiled(tmp_path, example(), MINGW)


# ---- what is recorded -----------------------------------------------------------------------------------------------


def test_the_manuals_program_is_one_frame_with_its_picture(triangle: Path) -> None:
    """A 2 x 2 texture over the upper left half of 64 x 64 pixels, whose centres are the vertices' pixels."""
    x, y = np.meshgrid(np.arange(64), np.arange(64))
    texels = np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [255, 255, 255]]])
    expected = np.where((x + y < 63)[..., None], texels[y // 32, x // 32], [0, 0, 0])
    with inspector.open(triangle) as capture:
        assert [frame.draws for frame in capture.frames] == [1]
        assert np.array_equal(capture.image(capture.frames[0].last_event, 1)[..., :3], expected)
        assert capture.findings == []
        refused, shown = [e for e in range(len(capture.events)) if capture.name(e) == "Flip"]
        assert "recorded=DDERR_WASSTILLDRAWING" in capture.text(refused)
        assert not capture.image(refused, 1)[..., :3].any()
        assert capture.tape.calls[int(capture.events.rows["call"][shown])].result == 0
        assert capture.state(shown)["VERTEXSHADER"].text == "XYZRHW|TEX1"


@pytest.mark.parametrize("words", ["info", "dump", "state", "check", "image -o OUT.png", "report -o OUT.html"])
def test_every_command_takes_a_recording(triangle: Path, tmp_path: Path, words: str) -> None:
    command, *rest = [str(tmp_path / word) if word.startswith("OUT") else word for word in words.split()]
    assert main([command, str(triangle), *rest]) == 0


def test_a_recording_becomes_a_capture_and_a_capture_a_recording(triangle: Path, tmp_path: Path) -> None:
    assert main(["convert", str(triangle), str(tmp_path / "a.ddicap")]) == 0
    assert main(["convert", str(tmp_path / "a.ddicap"), str(tmp_path / "b.ddirec")]) == 0
    assert calls_of(tmp_path / "b.ddirec") == calls_of(triangle)


EVERYTHING = (
    START
    + r"""
static void tick(void *user, ddir_u32 *low, ddir_u32 *high) { (void)user; *low = 7; *high = 1; }
static int put(void *user, const void *bytes, size_t size, int last)
{
    FILE *file = (FILE *)user;
    if (size && fwrite(bytes, 1, size, file) != size) return 0;
    return !last || fflush(file) == 0;
}
int main(int count, char **words)
{
    static ddir_recorder r;
    static unsigned char big[5000], commands[12] = {8, 0, 1, 0, 7, 0, 0, 0, 1, 0, 0, 0};
    static const ddir_i32 rects[8] = {0, 0, 4, 4, 4, 4, 8, 8};
    static const ddir_u32 handles[6] = {20, 22, 24, 26, 28, 30};
    ddir_surface s;
    ddir_lock l;
    ddir_blt b;
    ddir_buffer v;
    ddir_driver_info i;
    ddir_draw d;
    FILE *file = fopen(words[1], "wb");
    if (count < 2 || !file || !ddir_begin_timed(&r, put, file, tick, 1000)) return 2;
    memset(big, 0x5A, sizeof big);
    memset(&s, 0, sizeof s);
    s.handle = 20, s.width = s.height = 4, s.levels = 1, s.format = 21, s.caps = 0x1800, s.caps2 = 0x200 | 0xFC00;
    s.handles = handles, s.handle_count = 6;
    ddir_create_surface(&r, &s);
    s.handle = 40, s.levels = 0, s.caps = 0x20001000u, s.caps2 = 0x200000, s.caps4 = 0x10003, s.handles = 0;
    ddir_create_surface(&r, &s);
    s.handle = 50, s.caps = 0x6000, s.caps2 = 0, s.caps3 = 4, s.caps4 = 0;
    ddir_create_surface(&r, &s);
    s.handle = 60, s.result = 0x8876017Cu;
    ddir_create_surface(&r, &s);
    ddir_create_surface_ex(&r, 20, 9, 0);
    ddir_add_attached_surface(&r, 50, 20, 0);
    ddir_can_create_surface(&r, 1, 2, 21, 3, 0);
    memset(&l, 0, sizeof l);
    l.handle = 24, l.has_box = 1, l.box[2] = 2, l.box[3] = 3, l.flags = 0x10, l.pitch = 16;
    ddir_lock_surface(&r, &l);
    l.contents = big, l.size = 40, l.has_box = 0;
    ddir_unlock_surface(&r, &l);
    l.handle = 40, l.has_box = 1, l.box[4] = 1, l.box[5] = 2, l.slice_pitch = 48;
    ddir_surface_contents(&r, &l);
    memset(&b, 0, sizeof b);
    b.destination = 50, b.source = 24, b.has_source_box = 1, b.source_box[0] = -1;
    b.flags = 0x30000400, b.color = 5, b.has_queued = 1, b.queued = 2;
    ddir_blt_surface(&r, &b);
    ddir_flip(&r, handles, 2, 0x3000000, 0);
    ddir_status(&r, 1, 50, 1, 0);
    ddir_status(&r, 0, 50, 1, 0x8876021Cu);
    ddir_set_color_key(&r, 50, 8, 1, 2, 0);
    ddir_wait_for_vertical_blank(&r, 1, 0);
    memset(&v, 0, sizeof v);
    v.handle = 70, v.size = 6000, v.fvf = 0x42, v.caps = 0x800800, v.caps2 = 0x4000000;
    ddir_create_buffer(&r, &v);
    v.size = 0, v.flags = 0x2000, v.renamed = 1, v.has_answer = 1, v.handled = 1, v.fp_vid_mem = 5, v.fp_heap_offset = 6;
    v.fp_start = 7, v.surf_data = 8;
    ddir_lock_buffer(&r, &v);
    v.contents = big, v.content_size = 5000;
    ddir_unlock_buffer(&r, &v);
    ddir_buffer_contents(&r, 70, 900, big, 5000);
    ddir_destroy_buffer(&r, 70, 0);
    ddir_context_create(&r, 9, 50, 0, 0);
    memset(&d, 0, sizeof d);
    d.context = 9, d.commands = commands, d.command_offset = 100, d.command_length = 12, d.error_offset = 108;
    d.vertex_size = 20, d.vertex_length = 3, d.vertices = big, d.vertex_type = 0x44, d.flags = 1, d.result = 0x80070057u;
    ddir_draw_primitives2(&r, &d);
    d.result = 0x8876021Cu;
    ddir_draw_primitives2(&r, &d);
    ddir_draw_primitives2_pending(&r, &d);
    ddir_buffer_contents(&r, 70, 0, big, 4);
    ddir_parse_unknown_command(&r, 104, 108, 0);
    ddir_parse_unknown_command(&r, 108, 0, 0x88760BB8u);
    ddir_draw_primitives2_result(&r, DDIR_DID_NOT_STALL | DDIR_SWAPPED_VERTEX_BUFFER, 0, 0);
    ddir_clear2(&r, 9, 3, 0xFF00FF00u, 0.25f, 1, rects, 2, 0);
    ddir_validate_texture_stage_state(&r, 9, 1, 0);
    ddir_get_hal_info(&r, 13, big, 64);
    memset(&i, 0, sizeof i);
    i.request = big, i.request_size = 20, i.reply = big, i.reply_size = 212, i.handled = 1, i.actual_size = 212;
    ddir_get_driver_info(&r, &i);
    ddir_destroy_surface(&r, 22, 0);
    ddir_destroy_surface(&r, 20, 0);
    ddir_note(&r, "the end is near");
    ddir_call(&r, "DxgiBlt", 0);
    ddir_u32_field(&r, DDIR_ARGUMENT, "destination", 1);
    ddir_end(&r);
    ddir_context_destroy(&r, 9, 0);
    ddir_context_destroy_all(&r, 4, 0);
    ddir_draw_primitives2_pending(&r, &d);
    return r.failed || fclose(file) != 0;
}
"""
)
BIG = b"\x5a" * 5000
DRAWN = {"error_offset": 0, "stalled": 0, "swapped_vertex_buffer": 1, "resumed": (4, 8)}


def test_every_function_writes_what_it_is_given(tmp_path: Path) -> None:
    path = tmp_path / "all.ddirec"
    run(compiled(tmp_path, EVERYTHING, flags=("-std=c89", "-Wall", "-Wextra", "-Werror")), path)
    assert path.stat().st_size < 6800 + len(BIG), "equal blobs are written once"
    conversion = Conversion()
    with RecordingFile(path) as recording:
        calls = [call for record in recording for call in conversion.convert(record)]
    calls += conversion.finish()
    assert (recording.problem, recording.ticks) == ("", 1000)
    assert {call.out.pop("time") for call in calls if "synthetic" not in call.args} == {7 | 1 << 32}
    said = [(call.entry, call.args, call.result, call.out, call.data) for call in calls]
    cube, volume, target, refused = (args for entry, args, *_ in said[:4])
    assert (cube["faces"], cube["handles"], cube["memory"], cube["label"]) == (6, (20, 22, 24, 26, 28, 30), "system", "texture")
    assert (volume["depth"], volume["levels"], volume["memory"]) == (3, 1, "agp")
    assert (target["samples"], target["usage"], target["label"]) == (4, 1, "render_target")
    assert refused["recorded"] == 0x8876017C
    rest = [
        ("CreateSurfaceEx", {"handle": 20, "context": 9}, 0, {}, {}),
        ("AddAttachedSurface", {"handle": 50, "attached": 20}, 0, {}, {}),
        ("CanCreateSurface", {"width": 1, "height": 2, "format": 21, "caps": 3}, 0, {}, {}),
        ("Lock", {"handle": 24, "flags": 16, "box": (0, 0, 2, 3)}, 0, {"pitch": 16, "slice_pitch": 0}, {}),
        ("Unlock", {"handle": 24, "pitch": 16, "box": (0, 0, 2, 3)}, 0, {}, {"contents": BIG[:40]}),
        ("Lock", {"handle": 40, "box": (0, 0, 2, 3, 1, 2), "flags": 0, "synthetic": 1}, 0, {}, {}),
        ("Unlock", {"handle": 40, "box": (0, 0, 2, 3, 1, 2), "pitch": 16, "slice_pitch": 48, "synthetic": 1}, 0, {},
         {"contents": BIG[:40]}),
        ("Blt", {"destination": 50, "source": 24, "source_box": (-1, 0, 0, 0), "flags": 0x30000400, "color": 5,
                 "presentation": 2}, 0, {"queued": 2}, {}),
        ("Flip", {"surface": (20, 22), "flags": 0x3000000, "interval": 3}, 0, {}, {}),
        ("GetFlipStatus", {"handle": 50, "flags": 1}, 0, {}, {}),
        ("GetBltStatus", {"handle": 50, "flags": 1, "recorded": 0x8876021C}, 0x8876021C, {}, {}),
        ("SetColorKey", {"handle": 50, "flags": 8, "low": 1, "high": 2}, 0, {}, {}),
        ("WaitForVerticalBlank", {"flags": 1}, 0, {}, {}),
        ("CreateD3DBuffer", {"handle": 70, "size": 6000, "fvf": 0x42, "caps": 0x800800, "caps2": 0x4000000, "kind": "index",
                             "memory": "system", "usage": 0}, 0, {}, {}),
        ("LockD3DBuffer", {"handle": 70, "offset": 0, "size": 0, "flags": 0x2000}, 0,
         {"renamed": 1, "handled": 1, "fp_vid_mem": 5, "fp_heap_offset": 6, "fp_start": 7, "surf_data": 8}, {}),
        ("UnlockD3DBuffer", {"handle": 70, "offset": 0}, 0, {}, {"contents": BIG}),
        ("LockD3DBuffer", {"handle": 70, "offset": 900, "flags": 0, "synthetic": 1}, 0, {}, {}),
        ("UnlockD3DBuffer", {"handle": 70, "offset": 900, "synthetic": 1}, 0, {}, {"contents": BIG}),
        ("DestroyD3DBuffer", {"handle": 70}, 0, {}, {}),
        ("ContextCreate", {"context": 9, "render_target": 50, "depth_stencil": 0}, 0, {}, {}),
    ]  # fmt: skip
    assert said[4 : 4 + len(rest)] == rest
    failed, retried, lock, unlock, drawn, *more = said[4 + len(rest) :]
    clear, stages, hal, info, level, root, dxgi, gone, all_gone, crashed = more
    stream = {"context": 9, "flags": 1, "command_offset": 0, "command_length": 12, "vertex_type": 0x44, "vertex_size": 20,
              "vertex_length": 3, "vertex_offset": 0, "buffer_offset": 100}  # fmt: skip
    bytes_given = {"commands": bytes([8, 0, 1, 0, 7, 0, 0, 0, 1, 0, 0, 0]), "vertices": BIG[:60]}
    assert failed == ("DrawPrimitives2", stream, 0x80070057, {"error_offset": 8}, bytes_given)
    assert retried == ("DrawPrimitives2", stream, 0x8876021C, {"error_offset": 8}, bytes_given)
    assert (lock[0], unlock[0]) == ("LockD3DBuffer", "UnlockD3DBuffer"), "contents come before the call that needed them"
    assert drawn == ("DrawPrimitives2", stream, 0, DRAWN, bytes_given)
    assert clear[1]["rects"] == ((0, 0, 4, 4), (4, 4, 8, 8)) and clear[1]["fill_depth"] == 0.25
    assert (stages[3], hal[3:]) == ({"passes": 1}, ({"flags": 13, "texture_formats": 2}, {"texture_formats": BIG[:64]}))
    assert info[3:] == ({"handled": 1, "actual_size": 212}, {"request": BIG[:20], "reply": BIG[:212]})
    assert (level[1], root[1]) == ({"handle": 22, "recorded": 0}, {"handle": 20})
    assert (dxgi[0], dxgi[1]) == ("DxgiBlt", {"destination": 1})
    assert (gone[0], all_gone[1], crashed[1:]) == ("ContextDestroy", {"process": 4}, (stream, 0, {}, bytes_given))
    assert conversion.notices[0] == "the end is near" and "DrawPrimitives2" in conversion.notices[1]


BREAKING = (
    START
    + r"""
int main(int count, char **words)
{
    static ddir_recorder r;
    static ddir_u32 request[13] = {0, 0xFFFFFFFFu, 1, 100, 0}, formats[13] = {0, 0xFFFFFFFFu, 2, 16, 0}, reply[64];
    static unsigned char quad[64];
    static const unsigned char commands[6] = {18, 0, 1, 0, 0, 0};
    ddir_driver_info i;
    ddir_buffer v;
    ddir_draw d;
    ddir_blt b;
    if (count < 2 || !ddir_open(&r, words[1])) return 2;
    ddir_get_hal_info(&r, 5, 0, 0);
    memset(&i, 0, sizeof i);
    i.request = request, i.request_size = 52, i.reply = reply, i.reply_size = 212, i.actual_size = 212;
    ddir_get_driver_info(&r, &i);
    i.request = formats, i.reply_size = 24, i.actual_size = 24, i.handled = 1;
    ddir_get_driver_info(&r, &i);
    memset(&v, 0, sizeof v);
    v.handle = 40, v.size = 64, v.caps = 0x20800000u, v.caps2 = 32, v.has_answer = 1, v.handled = 1;
    v.fp_vid_mem = 0x20000000, v.fp_heap_offset = 0x1000;
    ddir_create_buffer(&r, &v);
    v.fp_vid_mem = 0x20000100, v.fp_heap_offset = 0x1200, v.fp_start = 0x1000, v.surf_data = 0x20000100, v.renamed = 1;
    ddir_lock_buffer(&r, &v);
    v.handle = 41, v.handled = 0, v.result = 0x80004005u;
    ddir_create_buffer(&r, &v);
    ddir_context_create(&r, 1, 0, 0, 0);
    memset(&d, 0, sizeof d);
    d.context = 1, d.commands = commands, d.command_length = 6, d.vertex_buffer = 40, d.vertices = quad, d.vertex_size = 16;
    d.vertex_length = 3, d.vertex_type = 4;
    ddir_draw_primitives2_pending(&r, &d);
    ddir_draw_primitives2_result(&r, DDIR_DID_NOT_STALL | DDIR_SWAPPED_COMMAND_BUFFER, 3, 0x80070057u);
    memset(&b, 0, sizeof b);
    b.destination = 1, b.source = 2, b.flags = 0x30000000, b.has_queued = 1, b.queued = 3;
    ddir_blt_surface(&r, &b);
    return ddir_close(&r) ? 0 : 1;
}
"""
)
ANSWERS = {
    "info2-gate", "info2-handled", "info2-size", "info2-header", "rename-discard", "rename-address", "buffer-refusal",
    "stall-missing", "swap-buffer", "error-offset", "presentation-queue", "presentation-driver",
}  # fmt: skip


def test_a_driver_learns_which_rules_it_broke(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the driver answered is in the recording, and is checked."""
    path = tmp_path / "breaking.ddirec"
    run(compiled(tmp_path, BREAKING, flags=("-std=c89", "-Wall", "-Wextra", "-Werror")), path)
    with inspector.open(path) as capture:
        assert {finding.rule for finding in capture.findings} >= ANSWERS
    assert main(["check", str(path)]) == 1
    assert "error-offset" in capsys.readouterr().out


def masks(format: Format) -> tuple[int, ...] | None:
    """DDPIXELFORMAT's dwFlags, dwRGBBitCount and masks of a format that is described by masks."""
    channels = {name: (1 << bits) - 1 << shift for name, shift, bits, *_ in format.channels}
    alpha = channels.pop("a", 0)
    kind = {("r", "g", "b"): 0x40, ("l",): 0x20000, ("u", "v"): 0x80000, ("u", "v", "l"): 0xC0000, (): 2}.get(
        tuple(name for name in "rgbuvl" if name in channels)
    )
    if kind is None:
        return None
    first, second, third, *_ = (*(channels[name] for name in "rgbuvl" if name in channels), 0, 0, 0)
    return kind | (alpha != 0 and kind != 2), format.bits, first, second, third, alpha


def test_pixel_formats_get_their_numbers(tmp_path: Path) -> None:
    names = "R8G8B8 A8R8G8B8 X8R8G8B8 R5G6B5 X1R5G5B5 A1R5G5B5 A4R4G4B4 R3G3B2 A8 A8R3G3B2 X4R4G4B4 A2B10G10R10 L8 A8L8 A4L4"
    names += " V8U8 L6V5U5 X8L8V8U8"
    by_name = {row.name: row for row in FORMATS.values()}
    rows = [(by_name[name].id, masks(by_name[name])) for name in names.split()]
    assert all(row for _, row in rows)
    body = "".join(
        f"    if (ddir_format({row[0]}u, 0, {row[1]}, {row[2]}u, {row[3]}u, {row[4]}u, {row[5]}u) != {number}) return {i};\n"
        for i, (number, row) in enumerate(rows, 1)
        if row is not None
    )
    body += "    if (ddir_format(4, 0x31545844, 0, 1, 2, 3, 4) != 0x31545844) return 90;\n"
    body += "    if (ddir_format(0x4400, 0, 32, 8, 0xFFFFFF00u, 0xFF, 0) != 75) return 91;\n"
    body += "    if (ddir_format(0x400, 0, 16, 0, 0xFFFF, 0, 0) != 80) return 92;\n"
    body += "    if (ddir_format(0x40, 0, 16, 1, 2, 3, 0) != 0) return 93;\n"
    run(compiled(tmp_path, START + "int main(void)\n{\n" + body + "    return 0;\n}\n"))


# ---- when it goes wrong -----------------------------------------------------------------------------------------------


def test_a_killed_process_leaves_a_recording(tmp_path: Path) -> None:
    program, path = compiled(tmp_path, example()), tmp_path / "killed.ddirec"
    process = subprocess.Popen([str(program), str(path), "2000000000"])
    try:
        ends = time.monotonic() + 120
        while (not path.exists() or path.stat().st_size < 40_000) and time.monotonic() < ends:
            time.sleep(0.002)
    finally:
        process.kill()
        process.wait()
    with inspector.open(path) as capture:
        frames = len(capture.frames)
        assert frames > 10
        assert capture.image(capture.frames[frames - 2].last_event, 1)[0, 0].tolist() == [255, 0, 0, 255]
        last = frames - 2
        assert capture.image(capture.frames[last].last_event, 1)[63, 63, 2] == last & 255, "each frame's colour is its number"
        assert all("breaks off" in notice or "never returned" in notice for notice in capture.tape.notices)


def test_a_full_disk_stops_the_recording_quietly(tmp_path: Path) -> None:
    source = (
        START
        + r"""
static int left = 100, calls;
static int put(void *user, const void *bytes, size_t size, int last)
{
    (void)user, (void)bytes, (void)last;
    calls++;
    return (left -= (int)size) >= 0;
}
int main(void)
{
    static ddir_recorder r;
    if (!ddir_begin(&r, put, 0)) return 1;
    if (!ddir_wait_for_vertical_blank(&r, 1, 0) && ddir_wait_for_vertical_blank(&r, 1, 0)) return 2;
    if (ddir_wait_for_vertical_blank(&r, 1, 0)) return 3;
    return r.failed && calls == 2 ? 0 : 4;
}
"""
    )
    run(compiled(tmp_path, source))
