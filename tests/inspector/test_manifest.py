"""captures.toml, and the plugin that makes test items of it."""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

import inspector
from core.errors import BadInput
from inspector import manifest
from inspector.expectations import Count
from tests.inspector.conftest import ROOM

ROOT = Path(__file__).resolve().parents[2]
FRAME = 2


@pytest.fixture
def folder(tmp_path: Path, room: inspector.Capture) -> Path:
    """A folder with the built-in capture, a reference image, and a captures.toml about them that is met."""
    (tmp_path / "room.ddicap").write_bytes(ROOM.read_bytes())
    draw = [event for event in room.draws.tolist() if room.frame_of(event) == FRAME][-1]
    image = room.image(draw)
    Image.fromarray(image[..., :3]).save(tmp_path / "frame.png")
    red, green, blue = image[240, 320, :3].tolist()
    (tmp_path / "captures.toml").write_text(
        f"""# kept
[[capture]]
path = "room.ddicap"
findings = []
hash = "{manifest.hash_of(room)}"  # of all frames

[[capture.image]]
frame = {FRAME}
reference = "frame.png"

[[capture.pixel]]
frame = {FRAME}
at = [320, 240]
color = [{red}, {green}, {blue}]

[[capture.state]]
event = {draw}
name = "ZFUNC"
value = "{room.state(draw)["ZFUNC"].text}"

[[capture.count]]
filter = "$draw()"
expected = "== {len(room.draws)}"
""",
        "utf-8",
    )
    return tmp_path


def collected(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """pytest on captures.toml, as someone would run it whose own tests have other packages with our names."""
    command = [sys.executable, "-m", "pytest", "-p", "pytest_ddi_inspector", "-p", "no:cacheprovider", "captures.toml", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_every_expectation_is_an_item_that_passes_or_fails(folder: Path, room: inspector.Capture) -> None:
    done = collected(folder, "-v", "--junitxml=junit.xml")
    assert done.returncode == 0, done.stdout
    names = [case.get("name") for case in ElementTree.parse(folder / "junit.xml").iter("testcase")]
    assert names == ["hash", "findings", f"image frame.png at {FRAME}", f"pixel 320,240 at {FRAME}", *names[4:]]
    assert str(names[4]).startswith("state ZFUNC at event") and names[5] == "count $draw()" and len(names) == 6
    text = (folder / "captures.toml").read_text("utf-8")
    frame = [event for event in room.draws.tolist() if room.frame_of(event) == FRAME]
    shown = [room.image(event, "back_buffer")[240, 320, :3].tolist() for event in frame]
    wrong = next(n for n in reversed(range(1, len(frame))) if shown[n] != shown[n - 1])
    broken = text.replace("== ", "!= ").replace('hash = "', 'hash = "0').replace(str(shown[-1]), str(shown[wrong - 1]))
    (folder / "captures.toml").write_text(broken, "utf-8")
    picture = np.asarray(Image.open(folder / "frame.png")).copy()
    picture[200:210, 300:310, 0] ^= 255
    Image.fromarray(picture).save(folder / "frame.png")
    done = collected(folder, "--junitxml=junit.xml")
    cases = ElementTree.parse(folder / "junit.xml").iter("testcase")
    assert [case.get("name") for case in cases if len(case)] == ["hash", *names[2:4], "count $draw()"]
    assert "100 of 307,200 pixels differ" in done.stdout and "they hash to" in done.stdout and "Traceback" not in done.stdout
    left = {path.name: path for path in (folder / "ddi-output").glob(f"*image_frame.png_at_{FRAME}/*")}
    assert left.keys() == {"image.png", "difference.png", "bisect.txt", "report.html"}
    assert np.asarray(Image.open(left["difference.png"]).convert("RGB")).any(-1).sum() == 100
    assert left["bisect.txt"].read_text("utf-8").startswith("it was never right")
    about = next((folder / "ddi-output").glob("*pixel_*/bisect.txt")).read_text("utf-8")
    assert str(frame[wrong]) in about and "never right" not in about
    assert collected(folder, "--ddi-update", "-k", "hash or image").returncode == 0
    assert (folder / "captures.toml").read_text("utf-8") == broken.replace('hash = "0', 'hash = "')
    assert collected(folder, "-k", "hash or image").returncode == 0


@pytest.mark.parametrize("linked", [False, True])
def test_update_writes_nothing_outside_of_the_folder(folder: Path, linked: bool) -> None:
    inner, outside = folder / "inner", folder / "frame.png"
    inner.mkdir()
    Image.new("RGB", (640, 480)).save(outside)
    before = outside.read_bytes()
    if linked:
        (inner / "frame.png").symlink_to(outside)
    image = f"[[capture.image]]\nframe = {FRAME}\nreference = '{'frame.png' if linked else '../frame.png'}'\n"
    (inner / "captures.toml").write_text("[[capture]]\npath = '../room.ddicap'\n" + image, "utf-8")
    done = collected(inner, "--ddi-update")
    assert done.returncode == 1 and "--ddi-update writes only within" in done.stdout and "Traceback" not in done.stdout
    assert outside.read_bytes() == before


def test_what_is_wrong_in_the_file_is_one_sentence(folder: Path) -> None:
    (folder / "captures.toml").write_text('[[capture]]\npath = "none.ddicap"\nhash = "0"\n', "utf-8")
    done = collected(folder)
    assert done.returncode == 1 and "none.ddicap" in done.stdout and "Traceback" not in done.stdout
    (folder / "captures.toml").write_text('[[capture]]\npath = "room.ddicap"\nlunch = 1\n', "utf-8")
    done = collected(folder)
    assert "capture 0: unknown key 'lunch'" in done.stdout and "Traceback" not in done.stdout


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[capture", "captures.toml"),
        ("[capture]\npath = 'x'", r"expected \[\[capture\]\]"),
        ("[[capture]]\n", "capture 0: expected path"),
        ("[[capture]]\npath = 'x'\n", 'capture 0: nothing is expected of x; begin with hash = "" and --ddi-update'),
        ("[[captures]]\npath = 'x'\nhash = ''\n", "unknown key 'captures'; expected"),
        ("[[capture]]\npath = 'x'\nfindings = 'all'", "expected findings = a list of rules"),
        ("[[capture]]\npath = 'x'\n[[capture.pixel]]\nat = [1]\ncolor = [1, 2, 3]", "capture 0, pixel 0: expected at"),
        ("[[capture]]\npath = 'x'\n[[capture.state]]\nname = 'ZFUNC'\nframe = -1", "expected frame = a number"),
        (
            "[[capture]]\npath = 'x'\n[[capture.count]]\nfilter = '$draw()'\nexpected = 'many'",
            "expected a filter, a comparison",
        ),
    ],
)
def test_bad_manifests(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "captures.toml").write_text(text, "utf-8")
    with pytest.raises(BadInput, match=sentence):
        manifest.read(tmp_path / "captures.toml")


VALUES = (
    "1", "-1", "1.5",
    "inf", "nan", "true", "'x'", '"\\u0000"', "[]", "[1]", "['a']", "{a=1}", "1979-05-27", "9" * 20, "[1, 2]", "[1, 2, 3]",
    "[true, 1]", "[300, -1, 2]", "[[1]]", "'back_buffer'",
)  # fmt: skip
NEEDED = {
    "image": {"reference": "'frame.png'"}, "pixel": {"at": "[1, 2]", "color": "[1, 2, 3]"}, "state": {"name": "'ZFUNC'"},
    "count": {"filter": "'$draw()'", "expected": "'== 2'"},
}  # fmt: skip


@pytest.mark.parametrize("kind", manifest.KNOWN)
def test_any_value_of_any_key_is_taken_or_refused_in_a_sentence(kind: str, room: inspector.Capture, tmp_path: Path) -> None:
    path = tmp_path / "captures.toml"
    Image.new("RGB", (8, 8)).save(tmp_path / "frame.png")
    table = "" if kind == "capture" else f"[[capture.{kind}]]\n"
    for key, value in itertools.product(manifest.KNOWN[kind], VALUES):
        values = {"path": "'x'", key: value} if not table else {**NEEDED[kind], key: value}
        lines = "".join(f"{one} = {held}\n" for one, held in values.items())
        path.write_text("[[capture]]\n" + ("path = 'x'\n" + table if table else "") + lines, "utf-8")
        with suppress(BadInput):
            for check in manifest.read(path)[0].checks:
                if check.name != "hash":
                    check.run(room)


TRACES = ("[]", "x", "null", "[x]", "[[x]]", "{a: b}", "&a [*a]", "{ddi-inspector: x}", "{ddi-inspector: {checksum: [x]}}")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("captures.toml", "a = " + held) for held in ("[" * 5000, "9" * 5000, "{a = " * 3000)),
        ("p.yml", "[" * 3000), ("p.yml", "traces: !!python/object/apply:builtins.print [executed]"),
        *(("p.yml", text.replace("@", held)) for held in TRACES for text in (
            "@", "traces: @", "traces: {x: @}", "traces:\n- path: @\n  expectations: @",
            "traces: {? @ : {ddi-inspector: {checksum: x}}}",
        )),
    ],
    ids=lambda text: text[:40],
)  # fmt: skip
def test_any_file_is_read_or_refused_in_a_sentence(
    name: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    with suppress(BadInput):
        assert all(isinstance(check.expectation.text, str) for one in manifest.read(path) for check in one.checks)  # type: ignore[attr-defined]
    assert not capsys.readouterr().out


def test_a_name_of_a_thousand_parts_is_refused(tmp_path: Path) -> None:
    """With all beginnings of it, 40 KB took 1.7 GB."""
    path = tmp_path / "captures.toml"
    for dots, said in (manifest.MOST_DOTS, "unknown key 'a'"), (20_000, "line 2 holds more than 1,000 dots"):
        path.write_text("\na" + ".b" * dots + " = 1\n", "utf-8")
        with pytest.raises(BadInput, match=said):
            manifest.read(path)


def test_the_hash_of_one_capture_of_several_is_written() -> None:
    text = "[[capture]]\nhash = 'a'\n# hash\n[[capture]]\npath = 'x'\n  hash = \"b\" # kept\n[[capture]]\nhash = 'c'\n"
    assert manifest.with_hash(text, 1, "d") == text.replace('"b"', '"d"')
    assert manifest.with_hash(text, 0, "d") == text.replace("'a'", '"d"')


@pytest.mark.parametrize("form", ["mapping", "list"])
def test_mesas_files_are_read(form: str, room: inspector.Capture, tmp_path: Path) -> None:
    right = hashlib.md5(room.image(int(room.draws[-1]))[..., :3].tobytes()).hexdigest()
    if form == "mapping":
        others = "  other.trace:\n    gl-x:\n      checksum: 1\n"
        text = f"traces:\n  room.ddicap:\n    ddi-inspector:\n      checksum: {right}\n{others}"
    else:
        text = f"traces:\n  - path: room.ddicap\n    expectations:\n      - device: ddi-inspector\n        checksum: {right}\n"
    (tmp_path / "traces.yml").write_text(text, "utf-8")
    (entry,) = manifest.read(tmp_path / "traces.yml")
    assert entry.path == tmp_path / "room.ddicap"
    assert entry.checks[0].run(room).met
    (tmp_path / "traces.yml").write_text(text.replace(right, "0" * 32), "utf-8")
    assert not manifest.read(tmp_path / "traces.yml")[0].checks[0].run(room).met
    for bad in ("traces: 3", "- 1", "traces: [1]", "{", "x: !!python/object/apply:os.system ['true']"):
        (tmp_path / "traces.yml").write_text(bad, "utf-8")
        with pytest.raises(BadInput):
            manifest.read(tmp_path / "traces.yml")


def test_a_frame_is_meant_by_its_number_where_only_later_ones_are_listed(room: inspector.Capture) -> None:
    check = manifest.Check("kind", Count("$draw()", ">", 0), frame=3)
    with inspector.open(ROOM, frames=(2, 4)) as part:
        assert check.event_in(part) == check.event_in(room) == room.frames[3].last_event
        with pytest.raises(BadInput, match=r"frame 0 is out of range \(2 to 3\)"):
            manifest.Check("kind", check.expectation, frame=0).event_in(part)
