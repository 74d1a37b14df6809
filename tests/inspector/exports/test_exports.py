"""Pictures and the report."""

from __future__ import annotations

import html.parser
import io
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import inspector
from core.errors import BadInput, Cancelled
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS
from core.spec.enums import CreateFlag
from inspector.exports import png, report
from inspector.exports.png import data_uri, opaque
from inspector.exports.report import bars, hexdump, middle
from inspector.imports.scripts import record
from inspector.tape import TapeWriter
from tests.conftest import ROOT
from tests.inspector.imports import trace_file as t

TITLE = "a & b" if os.name == "nt" else "a <b> & c"


class Page(html.parser.HTMLParser):
    """Counts elements and keeps the text and addresses of a page; complains about tags that do not nest."""

    VOID = frozenset({"meta", "img", "br", "link", "input", "wbr"})

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.addresses: list[str] = []
        self.words: list[str] = []
        self.ids: list[str] = []
        self._open: list[str] = []
        self.feed(source)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open and self._open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        self.words.append(data.strip())

    @property
    def text(self) -> str:
        return " ".join(filter(None, self.words))


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> inspector.Capture:
    folder = tmp_path_factory.mktemp("report")
    trace = folder / f"{TITLE}.trace"
    trace.write_bytes(t.snappy(t.small_program(5).bytes()))
    kept = folder / f"{TITLE}.ddicap"
    from inspector.imports import import_trace

    with TapeWriter(kept, durable=False) as writer:
        import_trace(trace, writer)
        writer.add_notice("something <is> missing")
        writer.add_finding(7, "runtime-rejected", "a finding & its <text>")
    with inspector.open(kept) as opened:
        yield opened


def test_a_png_holds_the_same_pixels() -> None:
    rgba = np.random.default_rng(1).integers(0, 256, (5, 7, 4), np.uint8)
    assert np.array_equal(np.array(Image.open(io.BytesIO(png(rgba)))), rgba)
    assert np.array_equal(np.array(Image.open(io.BytesIO(png(rgba[::-1, ::2])))), rgba[::-1, ::2])


def test_a_png_can_be_made_smaller_but_not_larger() -> None:
    rgba = np.full((30, 60, 4), 200, np.uint8)
    assert Image.open(io.BytesIO(png(rgba, 20))).size == (20, 10)
    assert Image.open(io.BytesIO(png(rgba, 100))).size == (60, 30)


def test_what_a_monitor_shows_has_no_holes() -> None:
    rgba = np.zeros((2, 2, 4), np.uint8)
    assert opaque(rgba)[..., 3].tolist() == [[255, 255], [255, 255]]
    assert rgba.max() == 0
    assert data_uri(b"abc") == "data:image/png;base64,YWJj"


def test_the_page_nests_and_needs_nothing_else(capture: inspector.Capture) -> None:
    page = Page(report(capture))
    assert all(address.startswith(("data:image/png;base64,", "#")) for address in page.addresses)
    assert "script" not in page.elements
    assert "link" not in page.elements


def test_the_page_says_what_is_in_the_capture(capture: inspector.Capture) -> None:
    page = Page(report(capture, pictures=2))
    assert page.elements.count("figure") == 2
    assert "2 of 5 frames are shown as images." in page.text
    assert f"{TITLE}.ddicap" in page.text
    assert "something <is> missing" in page.text
    assert "a finding & its <text>" in page.text
    assert "small.exe" in page.text
    for word in ("DRAWPRIMITIVE", "CLEAR", "Findings", "Surfaces and buffers", "5 frames", "5 draws"):
        assert word in page.text, word


def test_the_page_shows_one_event(capture: inspector.Capture) -> None:
    event = next(e for e in range(len(capture.events)) if "ZENABLE" in capture.text(e) or "LIGHTING" in capture.text(e))
    page = Page(report(capture, event, pictures=0))
    assert f"Event {event}" in page.text
    assert capture.text(event).split()[0] in page.text
    assert page.elements.count("figure") == 0


def test_the_default_event_is_a_draw_of_the_middle_frame(capture: inspector.Capture) -> None:
    event = middle(capture)
    assert capture.events.draw[event]
    assert capture.frame_of(event) == 2


def test_an_event_that_is_not_there_is_bad_input(capture: inspector.Capture) -> None:
    with pytest.raises(BadInput):
        report(capture, 10**6, pictures=0)


def test_the_report_lists_what_only_drawing_shows_and_says_when_it_does_not() -> None:
    with inspector.open(ROOT / "resources" / "samples" / "broken-rules.ddicap") as broken:
        quick, whole = (report(broken, pictures=0, drawn=drawn) for drawn in (False, True))
        everything = broken.ask(inspector.Findings())
    assert {one.rule for one in everything} > {one.rule for one in broken.findings}
    assert all(one.rule in whole for one in everything)
    assert "unbound-stream<br>" in whole and "unbound-stream<br>" not in quick  # the sample's frames have such titles, too
    assert "Nothing was drawn for this list" in quick and "Nothing was drawn for this list" not in whole


def test_the_report_has_a_part_about_the_driver(tmp_path: Path) -> None:
    with record(tmp_path / "a.ddicap") as d3d:
        d3d.CheckDeviceFormat(0, 1, 22, 0, 3, 22)
        device = d3d.CreateDevice(0, 1, 0, CreateFlag.HARDWARE_VERTEXPROCESSING, D3DPRESENT_PARAMETERS(32, 32, 22))
        device.Present(None, None, None, None)
    with inspector.open(tmp_path / "a.ddicap") as capture:
        page, told = report(capture, pictures=0), capture.ask(inspector.DriverCaps())
    assert told.verdict in page and all(row.name in page for row in (*told.caps, *told.formats))
    assert told.formats and "Presentation" in page and "<td>Blt</td>" in page


def test_the_report_can_be_cancelled(capture: inspector.Capture) -> None:
    with pytest.raises(Cancelled):
        report(capture, progress=lambda fraction, text: False)


def test_hexdump_is_bounded() -> None:
    assert hexdump(b"DDI\x00\xff", 0x20).startswith("000020  44 44 49 00 ff")
    assert hexdump(b"DDI\x00\xff", 0x20).endswith("DDI..")
    assert hexdump(bytes(100), 0, 32).splitlines()[-1] == "... 68 more bytes"
    assert hexdump(b"", 0) == ""


def test_a_chart_of_many_frames_shows_the_largest_of_each_group() -> None:
    values = [0] * 100_000
    values[77_777] = 9
    columns = bars(values, "draws")
    assert len(columns) <= 480
    assert [column.height for column in columns if column.height] == [100]
    assert bars([], "draws") == []


def test_an_empty_capture_makes_a_page(tmp_path: Path) -> None:
    with TapeWriter(tmp_path / "empty.ddicap"):
        pass
    with inspector.open(tmp_path / "empty.ddicap") as nothing:
        page = Page(report(nothing))
    assert "There are no frames." in page.text
