"""Reports of every kind: complete, in order, linked, without anything from elsewhere, and with the capture's text escaped."""

from __future__ import annotations

import base64
import io
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import inspector
from core.errors import BadInput
from inspector.cli import main
from inspector.exports import pages as exports_pages
from inspector.exports.chosen_frames import candidates, chosen_pictures, titles_of
from inspector.exports.report import report
from inspector.exports.report_kinds import KINDS, report_of
from inspector.focus import Focus
from inspector.tape.bookmarks import Bookmarks
from tests.inspector.conftest import ROOM
from tests.inspector.exports.test_exports import Page

SAMPLES = ROOM.parent / "samples"
DRAW = 2945


@pytest.fixture(scope="module")
def pages(room: inspector.Capture) -> dict[str, Page]:
    place = Focus(DRAW, pixel=(320, 240))
    return {kind: Page(report_of(kind, room, place, pictures=2, sides=("frame 1", "frame 2"))) for kind in KINDS}


NOTES = "# Roof <b>\n![x](https://example.org/x.png) <img src='https://example.org/y.png'> & #812"


@pytest.mark.parametrize("kind", KINDS)
def test_the_notes_of_a_capture_are_in_every_kind_as_text(
    kind: str, room: inspector.Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bookmarks, "page", lambda self: NOTES)
    page = Page(report_of(kind, room, Focus(DRAW, pixel=(320, 240)), None, False, 1, sides=("frame 1", "frame 2")))
    assert NOTES in "".join(page.words) and {"notes"} <= set(page.ids) and "#notes" in page.addresses
    assert all(address.startswith(("data:image/png;base64,", "#")) for address in page.addresses)


def test_a_capture_without_notes_has_no_such_part(pages: dict[str, Page]) -> None:
    assert not any("notes" in page.ids or "#notes" in page.addresses for page in pages.values())


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_nests_and_loads_nothing(kind: str, pages: dict[str, Page]) -> None:
    page = pages[kind]
    assert all(address.startswith(("data:image/png;base64,", "#")) for address in page.addresses)
    assert not {"script", "link", "iframe", "object"} & set(page.elements)


@pytest.mark.parametrize("kind", KINDS)
def test_every_link_leads_somewhere_and_events_are_places(kind: str, pages: dict[str, Page]) -> None:
    page = pages[kind]
    links = [address[1:] for address in page.addresses if address.startswith("#")]
    assert links and set(links) <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    for link in links:
        if link.startswith("event="):
            assert Focus.parse("#" + link).event == int(link.removeprefix("event="))


def images(page: str) -> list[np.ndarray]:
    found = re.findall(r'src="data:image/png;base64,([^"]+)"', page)
    return [np.asarray(Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB")) for text in found]


def test_a_draw_shows_what_it_changed_its_textures_and_vertices(room: inspector.Capture) -> None:
    page = report_of("draw", room, Focus(DRAW))
    pictures = [picture.tobytes() for picture in images(page)]
    assert room.image(DRAW)[..., :3].tobytes() in pictures and room.image(DRAW - 1)[..., :3].tobytes() in pictures
    grid = room.vertices(DRAW, "assembled")
    assert all(f">{name}</th>" in page for name in grid.columns)
    assert f"100 of {len(grid.rows):,} vertices are listed." in page
    covered, changed = room.ask(inspector.PixelsOf(DRAW)).counts
    assert f"<b>{covered:,}</b><span>pixels covered" in page and f"<b>{changed:,}</b><span>pixels changed" in page
    assert len(re.findall("<details[^>]* open>", page)) == page.count("<details") > 5


def test_a_draw_lists_the_first_fields_of_many(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of INDEXEDTRIANGLELIST2 are its indices: thousands."""
    fields = room.event(DRAW).fields
    monkeypatch.setattr(exports_pages, "FIELDS_LISTED", 2)
    page = report_of("draw", room, Focus(DRAW), drawn=False)
    assert f"2 of {len(fields)} fields are listed." in page
    assert f">{fields[1].name}</td>" in page and f">{fields[2].name}</td>" not in page


def test_a_draw_shows_the_slices_of_volumes_and_the_faces_of_cubes() -> None:
    for name, what, least in (("smoke", "slice", 8), ("reflections", "face", 6)):
        with inspector.open(SAMPLES / f"{name}.ddicap") as capture:
            handles = {
                info.handle
                for info in capture.surfaces(int(capture.draws[-1]))
                if info.kind == ("volume" if what == "slice" else "cube")
            }
            users = {event for handle in handles for event in capture.ask(inspector.UsersOf(handle)).event.tolist()}
            event = max(users & set(capture.draws.tolist()))
            page = report_of("draw", capture, Focus(event), drawn=False)
        assert len(re.findall(rf"<span>[^<]*, {what} \d+,", page)) >= least


def test_an_alpha_channel_that_varies_is_shown_beside_its_texture(room: inspector.Capture, tmp_path: Path) -> None:
    own = Path(shutil.copy(SAMPLES / "smoke.ddicap", tmp_path))
    with inspector.open(own) as capture:
        event = int(capture.draws[-1])
        page = report_of("draw", capture, Focus(event), drawn=False)
        handle = int(re.findall(r"<span>alpha of Texture (\d+)</span>", page)[0])
        (texture,) = (one for one in capture.surfaces(event) if one.handle == handle)
        Bookmarks(capture.tape, own).add(Focus(event=texture.created, surface=handle), "<font>\nsome note")
        named = f"&lt;font&gt; (Texture {handle})"
        page = report_of("draw", capture, Focus(event), drawn=False)
        assert f"<span>alpha of {named}</span>" in page and f": {named}" in page, "as Resources names it"
        alpha = capture.image(event, handle)[..., 3]
    assert alpha.min() < alpha.max() and any(same(one, alpha) for one in images(page))
    assert "alpha of" not in report_of("draw", room, Focus(DRAW))


def same(picture: np.ndarray, alpha: np.ndarray) -> bool:
    """Whether a picture is an alpha channel, enlarged by a whole number."""
    by = max(1, len(picture) // len(alpha))
    return np.array_equal(picture[::by, ::by, 0], alpha)


def test_a_pixel_shows_all_entries_misses_and_the_last_fragment(room: inspector.Capture) -> None:
    first = room.frames[room.frame_of(DRAW)].first_event
    found = room.ask(inspector.PixelHistory("render_target", 320, 240, first, DRAW))
    page = Page(report_of("pixel", room, Focus(DRAW, pixel=(320, 240))))
    for one in (*found.entries, *found.misses):
        assert one.reason in page.text and f"#event={one.event}" in page.addresses
    assert all(entry.after.stored in page.text for entry in found.entries)
    assert "The last fragment that was written" in page.text and found.misses
    with pytest.raises(BadInput, match="needs a pixel"):
        report_of("pixel", room, Focus(DRAW))
    untouched = Page(report_of("pixel", room, Focus(DRAW, surface="primary", pixel=(0, 0))))
    assert "Primary 1" in untouched.text and {one for one in untouched.addresses if one[0] == "#"} == {"#pixel"}


def test_a_comparison_shows_both_sides_and_the_difference(room: inspector.Capture) -> None:
    answer = room.ask(inspector.Compare("frame 1", "frame 2"))
    page = report_of("comparison", room, Focus(0), sides=("frame 1", "frame 2"))
    shown = [picture.tobytes() for picture in images(page)]
    small = [one for one in answer.surfaces if 64 < max(one.width, one.height) <= 640]
    assert small
    for one in small[:3]:
        loud = np.minimum(one.image[..., :3].astype(int) * (255 // one.largest), 255).astype(np.uint8)
        assert {side[..., :3].tobytes() for side in (one.a, one.b, loud)} <= set(shown) and one.by in page
    assert all(one.name in page for one in answer.state)
    tokens, words = answer.tokens, " ".join(Page(page).words)
    pairs = [(int(tokens.a[row]), int(tokens.b[row])) for row in tokens.differing]
    alike = [pair for pair in pairs if room.text(pair[0]) == room.text(pair[1])]
    a, b = next(pair for pair in alike if room.events.rows["draw"][pair[0]])
    left, right = (room.vertices(event, "assembled").rows for event in (a, b))
    assert f"{int((left != right).sum())} of {len(left)} vertices differ" in words
    assert "matrix[" in words and "matrix: (" not in words
    left, right = (room.vertices(event, "transformed").rows["screen.x"].astype(float) for event in (905, 1226))
    assert f"screen.x by up to {abs(right - left).max():.6g}" in words, "draws that are the same, moved by a matrix"
    same = report_of("comparison", room, Focus(0), sides=("frame 1", "frame 1"))
    assert "No difference" in same and "No state differs." in same


def test_findings_stand_before_everything_else() -> None:
    with inspector.open(SAMPLES / "broken-rules.ddicap") as broken:
        capture, driver = report(broken, pictures=1), report_of("driver", broken, Focus(0))
        found = broken.ask(inspector.Findings())
    assert capture.index('id="findings"') < capture.index('id="frames"') < capture.index('id="driver"')
    assert driver.index('id="failed"') < driver.index('id="findings"') < driver.index('id="driver"')
    page = Page(capture)
    assert {f"#event={one.seq}" for one in found if one.seq >= 0} <= set(page.addresses)
    assert {f"event={one.seq}" for one in found if one.seq >= 0} <= set(page.ids)


def test_titles_and_findings_choose_the_frames() -> None:
    with inspector.open(SAMPLES / "tests-and-blending.ddicap") as capture:
        titles = titles_of(capture)
        assert titles
        page = report(capture, pictures=4)
        assert sum(title in page for title in titles.values()) == len(titles)
        place = {frame.index: number for number, frame in enumerate(capture.frames)}
        first = candidates(capture, 4, [capture.frames[-1].index], ())
        assert first[0] == len(capture.frames) - 1 and first[1] in {place[frame] for frame in titles}
        assert sorted(first) == list(range(len(capture.frames)))


def test_a_frame_of_one_colour_is_shown_only_where_there_are_no_others(room: inspector.Capture) -> None:
    class Dark:
        """The room, whose frames are black but for two."""

        def __getattr__(self, name: str) -> object:
            return getattr(room, name)

        def image(self, event: int, surface: object = "render_target") -> np.ndarray:
            found = room.image(event, surface)  # type: ignore[arg-type]
            return found if room.frame_of(event) in (2, 5) else found * np.uint8(0)

    few = chosen_pictures(Dark(), 2, (), (), lambda done, text: None)
    assert {room.frames[place].index for place in few} == {2, 5}
    assert len(chosen_pictures(Dark(), 4, (), (), lambda done, text: None)) == 4


HOSTILE = '<script>alert("x")</script>'


def test_text_of_a_capture_is_escaped_in_every_kind(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    capture = inspector.open(ROOM)
    with capture:
        monkeypatch.setattr(capture, "title", HOSTILE)
        monkeypatch.setattr(capture.tape, "notices", [HOSTILE])
        monkeypatch.setattr(capture, "source_text", lambda number: HOSTILE)
        for kind in KINDS:
            page = report_of(kind, capture, Focus(DRAW, pixel=(320, 240)), pictures=0, sides=("frame 1", "frame 2"))
            assert "<script" not in page and "&lt;script&gt;" in page


def test_the_command_writes_every_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = {"pixel": ["--pixel", "320,240"], "comparison": ["--a", "frame 1", "--b", "frame 2"]}
    for kind in KINDS:
        about = [
            "report",
            str(ROOM),
            "--kind",
            kind,
            "--frame",
            "3",
            "--pictures",
            "1",
            "--undrawn",
            "--json",
            *words.get(kind, []),
        ]
        assert main(about) == 0
        said = json.loads(capsys.readouterr().out)
        assert Path(said["file"]).stat().st_size == said["bytes"] and said["kind"] == kind
    assert main(["report", str(ROOM), "--kind", "bundle", "-o", "x.html"]) == 2
    for kind in ("pixel", "comparison"):
        assert main(["report", str(ROOM), "--kind", kind]) == 2


def test_names_joined_by_bars_may_break_and_stay_escaped() -> None:
    from inspector.exports.pages import _breaks

    assert str(_breaks("A|<b>|C")) == "A|<wbr>&lt;b&gt;|<wbr>C"


def test_numbers_that_follow_one_another_are_a_range() -> None:
    from inspector.exports.pages import ranges

    assert ranges(()) == "" and ranges((4,)) == "4" and ranges((2, 3)) == "2, 3"
    assert ranges((2, 3, 4, 8, 10, 11, 12)) == "2 to 4, 8, 10 to 12"
