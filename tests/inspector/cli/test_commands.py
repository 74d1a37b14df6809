"""Commands for pictures, textures, buffers and expectations: what they write is what the capture holds."""

from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import inspector
from core.errors import BadInput
from inspector.cli import main
from inspector.cli.dump import line, lines
from inspector.cli.terminal import sized, some
from inspector.expectations import State
from inspector.query.looks.drawn import Drawn
from inspector.query.objects.textures import UsedTextures
from inspector.query.pixels.writers import Writers
from inspector.query.state.places import places_with, spelled, text_of
from tests.inspector.conftest import ROOM
from ui.index import build_index

FRAME = 3
SAMPLES = ROOM.parent / "samples"


def told(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> str:
    assert main([str(word) for word in words]) == code, capsys.readouterr()
    return capsys.readouterr().out


def last_draw(room: inspector.Capture, frame: int) -> int:
    draws = [event for event in room.draws.tolist() if room.frame_of(event) == frame]
    return draws[-1]


def buffer_of(room: inspector.Capture) -> int:
    """A buffer with contents from the program."""
    made = {call.args["handle"] for call in room.calls if call.entry == "CreateD3DBuffer"}
    filled = [call.args["handle"] for call in room.calls if call.entry == "UnlockD3DBuffer" and call.data]
    return int(next(handle for handle in filled if handle in made))


def test_the_shell_reads_the_completion(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = told(capsys, "completion", "bash")
    assert "what-if" in script and "--ignore-edges" in script
    (tmp_path / "completion.bash").write_text(script, "utf-8")
    try:
        done = subprocess.run(["bash", "-n", str(tmp_path / "completion.bash")], capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("needs bash")
    assert done.returncode == 0, done.stderr
    assert main(["completion", "lunch"]) == 2
    assert "invalid choice" in capsys.readouterr().err


# ---- places --------------------------------------------------------------------------------------------------------------


def test_of_a_frame_a_question_about_a_draw_means_its_last(room: inspector.Capture, capsys: pytest.CaptureFixture[str]) -> None:
    draw = last_draw(room, FRAME)
    for words in (["pixels"], ["step", "--vertex", 0]):
        by_frame = told(capsys, words[0], ROOM, *words[1:], "--frame", FRAME)
        assert by_frame == told(capsys, words[0], ROOM, *words[1:], "--event", draw)
    assert told(capsys, "vertices", ROOM, "--frame", FRAME).count("\n") == len(room.vertices(draw, "assembled").rows) + 1


def test_of_a_frame_a_question_about_a_pixel_means_the_draw_that_it_shows(
    room: inspector.Capture, capsys: pytest.CaptureFixture[str]
) -> None:
    frame, last = room.frames[FRAME], last_draw(room, FRAME)
    found = set()
    for x, y in ((320, 240), (20, 20), (500, 400)):
        written = room.ask(Writers("render_target", x, y, frame.first_event, last))
        expected = written["event"][written["primitive"] >= 0][-1]
        assert f"event {expected}, pixel" in told(capsys, "pixels", ROOM, "--frame", FRAME, "--pixel", f"{x},{y}")
        found.add(int(expected))
    assert found != {last}  # else the last draw would do as an answer


def test_a_file_that_nobody_named_replaces_none(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    event = told(capsys, "image", ROOM).split(":")[0].removeprefix("room_").removesuffix(".png")
    first = (tmp_path / f"room_{event}.png").read_bytes()
    told(capsys, "image", ROOM, "--surface", "depth", "--event", event)
    assert (tmp_path / f"room_{event}.png").read_bytes() == first
    assert (tmp_path / f"room_{event}-2.png").read_bytes() != first


# ---- lists ---------------------------------------------------------------------------------------------------------------


def test_the_lines_of_many_events_are_those_of_each(room: inspector.Capture) -> None:
    events = range(len(room.events))
    assert list(lines(room, events)) == [line(room, event) for event in events]


def test_frames_are_listed_and_saved(room: inspector.Capture, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = json.loads(told(capsys, "frames", ROOM, "--json", "--every", 3))
    assert [row["frame"] for row in rows] == [frame.index for frame in room.frames[::3]]
    assert [row["draws"] for row in rows] == [frame.draws for frame in room.frames[::3]]
    told(capsys, "frames", ROOM, "--first", 1, "--last", 2, "--folder", tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["frame-1.png", "frame-2.png"]
    saved = np.asarray(Image.open(tmp_path / "frame-2.png"))
    assert (saved[..., :3] == room.image(room.frames[2].last_event, "back_buffer")[..., :3]).all()


def test_a_frame_that_flips_is_what_was_flipped(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = SAMPLES / "vertex-buffer-stalls.ddicap"
    told(capsys, "frames", path, "--first", 0, "--last", 1, "--folder", tmp_path)
    with inspector.open(path) as capture:
        assert capture.name(capture.frames[0].last_event) == "Flip"
        for number in range(2):
            drawn = [event for event in capture.draws.tolist() if capture.frame_of(event) == number][-1]
            saved = np.asarray(Image.open(tmp_path / f"frame-{number}.png"))
            assert (saved[..., :3] == capture.image(drawn, "back_buffer")[..., :3]).all()
            assert build_index(capture).picture_event(number) == capture.picture_event(capture.frames[number])


def test_a_sheet_shows_every_frame(room: inspector.Capture, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "8 frames" in told(capsys, "frames", ROOM, "-o", tmp_path / "sheet.png", "--widest", 160)
    sheet = np.asarray(Image.open(tmp_path / "sheet.png").convert("RGB")).astype(int)
    assert sheet.shape[1] > 3 * 160 and sheet.shape[0] > 2 * 120
    few = Image.fromarray(room.image(room.frames[0].last_event, "back_buffer")).convert("RGB")
    few.thumbnail((160, 160), Image.Resampling.LANCZOS)
    assert np.abs(sheet[4 : 4 + few.size[1], 4 : 4 + few.size[0]] - np.asarray(few).astype(int)).max() == 0


def test_an_animation_shows_the_frame_being_drawn(
    room: inspector.Capture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    draws = [event for event in room.draws.tolist() if room.frame_of(event) == FRAME]
    target = room.render_target(draws[-1]) or 0
    by_draw = room.ask(Drawn(FRAME, "draw", 100))
    assert len(by_draw) == len(draws) + 1
    for picture, event in zip(by_draw[1:], draws, strict=True):
        assert (picture == room.image(event, target)).all()
    few = room.ask(Drawn(FRAME, "primitive", 7))
    assert len(few) == 7 and (few[-1] == room.image(draws[-1])).all()
    told(capsys, "frames", ROOM, "--drawn", FRAME, "--by", "draw", "-o", tmp_path / "drawn.webp")
    film = Image.open(tmp_path / "drawn.webp")
    film.seek(film.n_frames - 1)
    assert (np.asarray(film.convert("RGB")) == room.image(draws[-1])[..., :3]).all()
    assert film.n_frames > 3
    with pytest.raises(BadInput, match="frame 99 is out of range"):
        room.ask(Drawn(99))
    assert main(["frames", str(ROOM), "--drawn", "1"]) == 2


def test_textures_are_saved_once_with_an_index(
    room: inspector.Capture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    found = room.ask(UsedTextures())
    told(capsys, "textures", ROOM, "-o", tmp_path)
    with (tmp_path / "index.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["digest"] for row in rows] == [one.digest for one in found] and len(rows) > 2
    assert len({one.digest for one in found}) == len(found)
    for one, row in zip(found, rows, strict=True):
        picture = np.asarray(Image.open(tmp_path / f"{one.name}.png").convert("RGBA"))
        assert (picture == room.image(one.event, one.handle)).all()
        assert picture.shape[:2] == (one.height, one.width) and int(row["draws"]) == one.draws
        users = {event for handle in one.handles for event in room.ask(inspector.UsersOf(handle)).event.tolist()}
        assert {one.first, one.last} <= users and one.draws <= len(users)
    frame = room.frames[FRAME]
    some = room.ask(UsedTextures(frame.first_event, frame.last_event))
    targets = {room.render_target(event) for event in room.draws.tolist()}
    assert {one.digest for one in some if one.handle not in targets} <= {one.digest for one in found}
    assert any(one.handle in targets for one in some)  # it is drawn to in every frame: other contents
    assert all(frame.first_event <= one.first <= one.last <= frame.last_event for one in some)


def test_a_capture_without_textures_is_no_empty_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["textures", str(SAMPLES / "presentation-queue.ddicap")]) == 0
    out, err = capsys.readouterr()
    assert (out, err) == ("", "ddi-inspector: no texture is used\n")


def test_the_bytes_of_a_buffer_are_those_that_were_uploaded(
    room: inspector.Capture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    event = int(room.draws[-1])
    handle = buffer_of(room)
    uploads = [call for call in room.calls if call.entry == "UnlockD3DBuffer" and call.args["handle"] == handle]
    whole = bytes(memoryview(uploads[-1].data["contents"]).cast("B"))
    offset = 16
    told(capsys, "buffer", ROOM, handle, "--event", event, "--offset", offset, "--size", 8, "-o", tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == whole[offset : offset + 8]
    assert json.loads(told(capsys, "buffer", ROOM, handle, "--event", event, "--json"))["bytes"].startswith(whole[:64].hex())
    assert main(["buffer", str(ROOM), str(handle), "--offset", "99999999"]) == 2


def test_leaks_are_what_is_never_destroyed(room: inspector.Capture, capsys: pytest.CaptureFixture[str]) -> None:
    gone = {call.args["handle"] for call in room.calls if call.entry == "DestroySurface"}
    made = {call.args["handle"] for call in room.calls if call.entry == "CreateSurface"}
    rows = json.loads(told(capsys, "leaks", ROOM, "--kind", "surface", "--json", code=int(bool(made - gone))))
    assert {row["handle"] for row in rows} == made - gone


def test_timing_measures_every_draw(room: inspector.Capture, capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(told(capsys, "timing", ROOM, "--json", "--most", 1000))
    assert sorted(row["event"] for row in rows["slowest"]) == room.draws.tolist()
    assert all(row["seconds"] > 0 and row["primitives"] == room.primitives(row["event"]) for row in rows["slowest"])
    assert rows["seconds"] == pytest.approx(sum(row["seconds"] for row in rows["slowest"]))
    frames = json.loads(told(capsys, "timing", ROOM, "--by", "frame", "--json"))["slowest"]
    assert {row["frame"] for row in frames} == {room.frame_of(event) for event in room.draws.tolist()}


def test_the_header_is_the_recorder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = Path(told(capsys, "header").strip())
    told(capsys, "header", "-o", tmp_path / "copy.h")
    assert told(capsys, "header", "--player").strip() == str(path.with_name("ddi_play.h"))
    assert path.name == "ddi_record.h" and (tmp_path / "copy.h").read_bytes() == path.read_bytes()


def test_a_program_runs_with_its_own_words_and_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.py").write_text("import sys, inspector\nprint(sys.argv[1:])\nsys.exit(3)\n", "utf-8")
    assert told(capsys, "python", tmp_path / "own.py", "a", "--b", code=3) == "['a', '--b']\n"
    assert main(["python", str(tmp_path / "none.py")]) == 2


# ---- expectations ----------------------------------------------------------------------------------------------------------


def test_assert_says_which_expectation_is_not_met(
    room: inspector.Capture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    event = last_draw(room, FRAME)
    image = room.image(event)
    red, green, blue = (int(value) for value in image[240, 320, :3])
    right, wrong = f"320,240={red},{green},{blue}", f"320,240={red ^ 16},{green},{blue}"
    state = room.state(event)["ZFUNC"].text
    met = ("--pixel", right, "--state", f"ZFUNC={state}", "--count", f"$draw() == {(room.draws <= event).sum()}")
    assert "FAILED" not in told(capsys, "assert", ROOM, "--event", event, *met)
    assert "ok" in told(capsys, "assert", ROOM, "--event", event, "--pixel", wrong, "--tolerance", 16)
    for words, found in (
        (["--pixel", wrong], f"it is {red},{green},{blue}"),
        (["--state", "ZFUNC=NEVER"], f"it is {state}"),
        (["--count", "$draw() < 3"], "match"),
    ):
        printed = told(capsys, "assert", ROOM, "--event", event, *met, *words, code=1)
        assert [row[:6] for row in printed.splitlines()].count("FAILED") == 1 and found in printed
    rows = json.loads(told(capsys, "assert", ROOM, "--event", event, "--state", "ZFUNC=NEVER", "--json", code=1))
    assert not rows["met"] and rows["expectations"][0]["found"] == f"it is {state}"
    assert main(["assert", str(ROOM)]) == 2


@pytest.mark.parametrize("raw", [0, 1, 2, 7, 0x3F800000, 0x80000000, 0xFFFFFFFF, 0x7FC00001])
def test_whatever_a_state_may_read_like_can_be_expected(room: inspector.Capture, raw: int) -> None:
    """A check of what is printed for another value fails; it is not invalid."""
    event = last_draw(room, FRAME)
    for place in places_with(room.walked.lights_at(event)).values():
        text = text_of(place.kind, [raw] * place.count)
        met = State(spelled(place.key), text).check(room, event).met
        assert met or room.state(event)[place.key].raw != (raw,) * place.count, spelled(place.key)


def test_assert_compares_with_a_reference_image(
    room: inspector.Capture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    event = last_draw(room, FRAME)
    image = room.image(event).copy()
    image[100:110, 50:55, 1] ^= 128  # 50 pixels of 307,200: 0.0163 %
    Image.fromarray(image[..., :3]).save(tmp_path / "other.png")
    words = ("assert", ROOM, "--event", event, "--image", tmp_path / "other.png")
    assert "50 of 307,200 pixels differ" in told(capsys, *words, "-o", tmp_path / "difference.png", code=1)
    difference = np.asarray(Image.open(tmp_path / "difference.png").convert("RGB"))
    assert (np.argwhere(difference.any(-1)).min(0) == (100, 50)).all() and int(difference.any(-1).sum()) == 50
    told(capsys, *words, "--allow", "0.0162%", code=1)
    told(capsys, *words, "--allow", "0.0163%")
    told(capsys, *words, "--tolerance", 128)


def test_edges_may_lie_one_pixel_aside(room: inspector.Capture, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    event = last_draw(room, FRAME)
    moved = np.roll(room.image(event), 1, axis=1)
    moved[:, -1] = room.image(event)[:, -1]
    Image.fromarray(moved[..., :3]).save(tmp_path / "moved.png")
    words = ("assert", ROOM, "--event", event, "--image", tmp_path / "moved.png")
    told(capsys, *words, code=1)
    told(capsys, *words, "--ignore-edges")
    twice = np.roll(moved, 3, axis=1)
    Image.fromarray(twice[..., :3]).save(tmp_path / "moved.png")
    told(capsys, *words, "--ignore-edges", code=1)


def test_clean_names_the_rule_that_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    broken = ROOM.parent / "samples" / "broken-rules.ddicap"
    printed = told(capsys, "assert", broken, "--clean", code=1)
    with inspector.open(broken) as capture:
        rules = sorted({finding.rule for finding in capture.ask(inspector.Findings())})
    assert f"[{rules[0]}]" in printed or any(f"[{rule}]" in printed for rule in rules)
    allowed = [word for rule in rules for word in ("--allow-rule", rule)]
    told(capsys, "assert", broken, "--clean", *allowed)
    told(capsys, "assert", broken, "--clean", *allowed[2:], code=1)


def test_surface_prints_what_a_surface_holds(room: inspector.Capture, capsys: pytest.CaptureFixture[str]) -> None:
    event = str(last_draw(room, FRAME))
    facts = json.loads(
        told(capsys, "surface", ROOM, "--event", event, "--histogram", "4", "--black", "0", "--white", "1", "--json")
    )
    picture = room.image(int(event))
    assert (facts["width"], facts["height"]) == (640, 480)
    red = next(one for one in facts["channels"] if one["channel"] == "r")
    assert (round(red["low"] * 255), round(red["high"] * 255)) == (picture[..., 0].min(), picture[..., 0].max())
    counts = [int(((picture[..., 0] / 255 >= n / 4) & (picture[..., 0] / 255 < (n + 1) / 4)).sum()) for n in range(3)]
    assert [row["counts"]["r"] for row in facts["histogram"]][:3] == counts
    y, x = np.argwhere(picture[..., 0] == picture[..., 0].max())[0]
    found = told(capsys, "surface", ROOM, "--event", event, "--find", f"r >= {red['high']}", "--texel", f"{x},{y}").splitlines()
    assert f"  {x}, {y}" in found
    blue, green, red_byte = picture[y, x, 2], picture[y, x, 1], picture[y, x, 0]
    assert any(line.startswith(f"texel {x}, {y}: {blue:02x} {green:02x} {red_byte:02x}") for line in found)


def test_surface_saves_views(room: inspector.Capture, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    event = last_draw(room, FRAME)

    def saved(*words: str) -> np.ndarray:
        told(capsys, "surface", ROOM, "--event", str(event), *words, "-o", str(tmp_path / "view.png"))
        return np.asarray(Image.open(tmp_path / "view.png").convert("RGBA"))

    picture = room.image(event)
    assert (saved()[..., :3] == picture[..., :3]).all()
    inverted = saved("--black", "1", "--white", "0")[..., :3].astype(int)
    assert np.abs(inverted - (255 - picture[..., :3].astype(int))).max() <= 1
    assert (saved("--expression", "this.bgr")[..., :3] == picture[..., 2::-1]).all()
    previous = event - 1
    before = room.image(previous)
    apart = np.abs(picture[..., :3].astype(int) - before[..., :3]) * 3
    assert (saved("--against", str(previous), "--amount", "3")[..., :3] == np.minimum(apart, 255)).all()
    volume = next(info for info in room.surfaces(event) if info.kind == "volume")
    sheet = saved("--surface", str(volume.handle), "--sheet")
    assert sheet.shape[0] * sheet.shape[1] > volume.width * volume.height * volume.depth
    assert saved("--surface", str(volume.handle), "--cut", "1,2,3").shape[0] > volume.height + volume.depth
    over = saved("--surface", str(volume.handle), "--sheet", "--overlay", "last_writer")
    assert over.shape == sheet.shape and not np.array_equal(over, sheet) and not over[sheet[..., 3] == 0].any()


def test_surface_refuses_what_makes_no_sense(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "x.png")
    wrong = (["--sheet"], ["--expression", "import os", "-o", out], ["--cut", "1,2,3", "-o", out], ["--palette", "-o", out],
             ["--overlay", "tests", "-o", out], ["--gamma", "0"], ["--find", "red"], ["--texel", "9999,0"])  # fmt: skip
    for words in wrong:
        assert main(["surface", str(ROOM), *words]) == 2
        assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_one_is_not_plural_and_small_files_have_a_size() -> None:
    assert [some(count, "surface", "differ") for count in (1, 2)] == ["1 surface differs", "2 surfaces differ"]
    assert [some(count, "image") for count in (0, 1, 1200)] == ["0 images", "1 image", "1,200 images"]
    assert [sized(size) for size in (29_769, 99_999, 100_000, 5_600_000)] == ["29.8 KB", "100.0 KB", "0.1 MB", "5.6 MB"]
