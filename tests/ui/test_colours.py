"""Colours have enough contrast, and no meaning is told by colour alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QStyle, QStyleOptionViewItem, QWidget

from inspector.query.looks.tones import Distribution, Tones
from tests.ui.test_readable import LEGIBLE, THEMES_IN_ALL_HUES, VISIBLE, WORDS, contrast
from ui import style
from ui.index import KINDS
from ui.roles import TOKEN_ROLE
from ui.style import THEMES, Theme
from ui.widgets.cells import ink
from ui.widgets.event_marks import HIT, paint_hit, paint_kind
from ui.widgets.line_names import STROKES, stroke
from ui.widgets.picture_paint import ink_on
from ui.widgets.pipeline_bar import PipelineBar, StageMark
from ui.widgets.plot import COLORS
from ui.widgets.timeline_marks import FLAG_SHAPES, MARKS, paint_shape, worst_first
from ui.widgets.tones_bar import HistogramBar, Tone

ROWS = "panel", "stripe", "hover"
in_all_themes = pytest.mark.parametrize("theme", THEMES_IN_ALL_HUES, ids=lambda theme: theme.name)


@in_all_themes
def test_every_kind_of_event_stands_out_from_every_ground(theme: Theme) -> None:
    grounds = (*ROWS, "raised", "selection")
    pale = [(k, g) for k in KINDS for g in grounds if contrast(theme.color(f"kind:{k}"), theme.color(g)) < VISIBLE]
    assert not pale


@in_all_themes
def test_words_stand_out_from_a_chosen_row_and_from_one_that_the_filter_finds(theme: Theme) -> None:
    chosen = QStyleOptionViewItem()
    chosen.state |= QStyle.StateFlag.State_Selected
    current, before = style.current(), style.theme()
    current.theme = theme
    words = [ink({TOKEN_ROLE: word}.get, chosen) for word in WORDS]
    current.theme = before
    assert min(contrast(color, theme.color("selection")) for color in words) >= LEGIBLE
    for ground in ROWS[:2]:
        hit = style.mixed(theme.color("accent"), theme.color(ground), HIT / 255)
        assert min(contrast(theme.color(word), hit) for word in ("text", "muted", "error", "link")) >= LEGIBLE


@in_all_themes
def test_names_stand_out_from_the_blocks_of_the_timeline(theme: Theme) -> None:
    for kind in KINDS:
        for share in (0.6, 0.9):
            block = style.mixed(theme.color(f"kind:{kind}"), theme.color("panel"), share)
            assert contrast(ink_on(block), block) >= LEGIBLE, (kind, share)


def test_a_mixed_colour_is_what_a_painter_paints() -> None:
    image = QImage(1, 1, QImage.Format.Format_RGB32)
    image.fill(QColor("#fbfbfc"))
    over = QColor("#6b7686")
    mixed = style.mixed(over, QColor("#fbfbfc"), 0.6)
    over.setAlphaF(0.6)
    with QPainter(image) as painter:
        painter.fillRect(image.rect(), over)
    seen = image.pixelColor(0, 0)
    assert max(abs(a - b) for a, b in zip(seen.getRgb(), mixed.getRgb(), strict=True)) <= 1  # type: ignore[call-overload]


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit])
def test_what_an_empty_field_takes_can_be_read(qtbot: Any, qapp: QApplication, name: str, kind: type[QWidget]) -> None:
    style.apply(qapp, name)
    field = kind()
    qtbot.addWidget(field)
    field.setPlaceholderText("HHHH HHHH MMMM")  # type: ignore[attr-defined]
    field.resize(300, 60)
    field.show()
    image = field.grab(QRect(12, 4, 200, 50)).toImage()
    ground = THEMES[name].color("sunken")
    seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    style.apply(qapp, "dark")
    assert max(contrast(QColor(color), ground) for color in seen) >= LEGIBLE


def drawn(paint: Any) -> bytes:
    """What a function paints in one colour."""
    image = QImage(24, 24, QImage.Format.Format_RGB32)
    image.fill(0)
    with QPainter(image) as painter:
        paint(painter)
    return bytes(image.constBits())


def test_no_kind_of_event_or_mark_is_told_by_its_colour_alone() -> None:
    white = QColor("white")
    kinds = {drawn(lambda p, kind=kind: paint_kind(p, QRectF(8, 8, 8, 8), kind, white)) for kind in KINDS}
    assert len(kinds) == len(KINDS) - 1, "state and other are both a dot, which is quiet"

    def shapes(names: list[str]) -> set[bytes]:
        return {drawn(lambda p, name=name: paint_shape(p, 12, 12, name, white)) for name in names}

    assert len(shapes([mark.shape for mark in MARKS])) == len(MARKS)
    assert len(shapes(list(FLAG_SHAPES.values()))) == len(FLAG_SHAPES)
    assert len({stroke(n) for n in range(len(STROKES))}) == len(STROKES) >= len(COLORS) - 1


@in_all_themes
def test_stages_that_run_have_an_outline_and_those_that_were_set_a_line(theme: Theme, qapp: QApplication) -> None:
    before = style.theme()
    style.current().theme = theme
    bar = PipelineBar()
    bar.show_stages([StageMark("fog", "Fog", "", runs, touched) for runs in (True, False) for touched in (False, True)])
    bar.resize(600, bar.height())
    image, ground = bar.grab().toImage().convertToFormat(QImage.Format.Format_RGB32), theme.color("panel")
    style.current().theme = before

    def seen(place: QRect) -> list[list[bool]]:
        """Which pixels stand out from the panel."""
        across, down = range(place.left(), place.right() + 1), range(place.top(), place.bottom() + 1)
        return [[contrast(QColor(image.pixel(x, y)), ground) >= VISIBLE for x in across] for y in down]

    runs, both, neither, touched = (seen(place) for place in bar.places())
    assert len({str(one) for one in (runs, both, neither, touched)}) == 4, "told apart by what stands out alone"
    assert sum(runs[0]) > 20 and not any(neither[0]), "the upper edge of the box"


def test_an_event_that_the_filter_finds_has_a_mark_besides_its_ground() -> None:
    place = QRect(0, 0, 24, 24)
    assert drawn(lambda painter: paint_hit(painter, place, is_plain=False)) != drawn(lambda painter: None)


def test_of_findings_at_one_place_the_worst_is_seen() -> None:
    assert worst_first([(4, "link"), (4, "warning"), (4, "error"), (9, "link")])[:2] == [(4, "error"), (4, "warning")]


def test_channels_of_a_histogram_have_strokes_of_their_own_and_names(qtbot: Any) -> None:
    """Red and green are one colour to many; the legend names each curve beside its stroke."""
    holder = QWidget()
    qtbot.addWidget(holder)
    bar = HistogramBar(Tone(holder))
    qtbot.addWidget(bar)
    levels, ends = np.arange(3), np.ones(3)
    counts = np.stack([levels] * 3)
    bar.show_counts(Distribution(("r", "g", "b"), np.arange(4.0), counts, ends, 2 * ends, levels, levels, levels), Tones())
    pens = [curve.opts["pen"] for curve in bar._plot.listDataItems()]
    assert bar.words.names == ("r 1 to 2", "g 1 to 2, 1 NaN or infinite", "b 1 to 2, 2 NaN or infinite")
    assert len({pen.style() for pen in pens}) == 3
    assert [pen.style() for pen in pens] == [stroke(number) for number in range(3)], "as the legend draws them"
