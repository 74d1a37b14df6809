"""The look of the window: the design tokens, in one place.

A `Theme` is a frozen set of colours; `apply` turns it into Qt's palette and style sheet, `theme()` is what painting code
reads.  Event kinds keep the same hue in both themes, and every hue is distinguishable by lightness or shape too (the hues are
Okabe and Ito's, which survive colour blindness).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import resources
from string import Template
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication, QWidget

from ui.hues import PALETTES

UI_FONTS = ("Segoe UI Variable Text", "Segoe UI", "Inter", "Cantarell", "Ubuntu", "Noto Sans")
MONO_FONTS = ("Cascadia Mono", "JetBrains Mono", "SF Mono", "Menlo", "Consolas", "Noto Sans Mono", "DejaVu Sans Mono")

LISTS = "QAbstractItemView"  # a class to which some desktops give a font of their own, again with every style sheet
ROW_HEIGHT, SPACE, RADIUS = 22, 8, 5


@dataclass(frozen=True)
class Theme:
    name: str
    window: str
    panel: str
    raised: str
    sunken: str
    stripe: str
    border: str
    text: str
    muted: str
    faint: str
    disabled: str
    accent: str
    on_accent: str
    selection: str
    hover: str
    link: str
    error: str
    warning: str
    good: str
    changed: str
    checker_a: str
    checker_b: str
    canvas: str
    kinds: tuple[tuple[str, str], ...]

    @cached_property
    def is_dark(self) -> bool:
        return QColor(self.panel).lightness() < 128

    def color(self, token: str, alpha: int = 255) -> QColor:
        """The token's colour (a field's name, or "kind:draw"), at the given opacity; not to be changed by who gets it."""
        return self._colors[token, alpha]

    @cached_property
    def _colors(self) -> _Colors:
        return _Colors(self)  # kept here: a theme as a key of a cache is hashed colour by colour


DARK = Theme(
    name="dark",
    window="#14161a",
    panel="#1a1d22",
    raised="#24282f",
    sunken="#121417",
    stripe="#1d2026",
    border="#2d323a",
    text="#dde1e8",
    muted="#98a1b0",
    faint="#868f9e",
    disabled="#646d7c",
    accent="#f0883e",
    on_accent="#1a1206",
    selection="#3a2f27",
    hover="#22262d",
    link="#7ab8ff",
    error="#ff7b72",
    warning="#e8b339",
    good="#5cc98f",
    changed="#f0b429",
    checker_a="#2a2d33",
    checker_b="#33373e",
    canvas="#0e0f12",
    kinds=(
        ("draw", "#f0883e"),
        ("clear", "#e5d352"),
        ("state", "#7d889a"),
        ("transform", "#b98be0"),
        ("shader", "#e07fae"),
        ("resource", "#3fb68b"),
        ("copy", "#56b4e9"),
        ("present", "#f2f4f8"),
        ("other", "#727c8b"),
    ),
)

LIGHT = replace(
    DARK,
    name="light",
    window="#eceef1",
    panel="#fbfbfc",
    raised="#ffffff",
    sunken="#f3f4f6",
    stripe="#f5f6f8",
    border="#d5d9df",
    text="#1c2128",
    muted="#5a6472",
    faint="#616a77",
    disabled="#939ba7",
    accent="#ad4a06",
    on_accent="#ffffff",
    selection="#fde6d3",
    hover="#eff1f4",
    link="#0b62c4",
    error="#c62828",
    warning="#875a00",
    good="#177344",
    changed="#a64b06",
    checker_a="#d9dce1",
    checker_b="#c9cdd4",
    canvas="#dfe2e7",
    kinds=(
        ("draw", "#d9620f"),
        ("clear", "#947900"),
        ("state", "#6b7686"),
        ("transform", "#8250c4"),
        ("shader", "#bf3989"),
        ("resource", "#0f8a63"),
        ("copy", "#0969da"),
        ("present", "#2b3440"),
        ("other", "#7b8594"),
    ),
)

CONTRAST = replace(
    DARK,
    name="contrast",
    window="#000000",
    panel="#000000",
    raised="#101010",
    sunken="#000000",
    stripe="#0c0c0c",
    border="#b8b8b8",
    text="#ffffff",
    muted="#f0f0f0",
    faint="#dcdcdc",
    disabled="#a0a0a0",
    accent="#ffd24a",
    on_accent="#000000",
    selection="#443600",
    hover="#262626",
    link="#8fd0ff",
    error="#ff9d94",
    warning="#ffd24a",
    good="#7df0b0",
    changed="#ffc94d",
    checker_a="#1c1c1c",
    checker_b="#303030",
    canvas="#000000",
    kinds=(
        ("draw", "#ffa04d"),
        ("clear", "#fff06a"),
        ("state", "#b4bccb"),
        ("transform", "#d9b3ff"),
        ("shader", "#ff9fd0"),
        ("resource", "#5fe3b4"),
        ("copy", "#7fd0ff"),
        ("present", "#ffffff"),
        ("other", "#8c96a5"),
    ),
)

THEMES = {theme.name: theme for theme in (DARK, LIGHT, CONTRAST)}


@cache
def with_palette(theme: Theme, name: str) -> Theme:
    """The theme in the hues of a palette."""
    hues = PALETTES[name][theme is LIGHT]
    if not hues:
        return theme
    kinds = tuple((kind, hues.get(kind, hue)) for kind, hue in theme.kinds)
    tokens = {token: hue for token, hue in hues.items() if token not in dict(kinds)}
    return replace(theme, name=f"{theme.name} {name}", kinds=kinds, **tokens)  # type: ignore[arg-type]


class _Colors(dict[tuple[str, int], QColor]):
    """A theme's colours by token and opacity, made when they are first asked for: painting a list asks thousands of times."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def __missing__(self, key: tuple[str, int]) -> QColor:
        token, alpha = key
        kind = token.removeprefix("kind:")
        color = QColor(getattr(self._theme, token) if kind == token else dict(self._theme.kinds)[kind])
        color.setAlpha(alpha)
        self[key] = color
        return color


class _Current(QObject):
    """The theme in force, and the news that it changed."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.theme = DARK
        self.chosen = "system"
        self.palette = "usual"
        self.percent = 100  # of the size of fonts
        self.families = "", ""
        """Fonts of words and of values that go before the usual ones."""


@cache
def current() -> _Current:
    return _Current()


def theme() -> Theme:
    return current().theme


def system_theme() -> Theme:
    scheme = QGuiApplication.styleHints().colorScheme()
    return LIGHT if scheme == Qt.ColorScheme.Light else DARK


def apply(app: QApplication, choice: str = "system", palette_name: str = "", percent: int = 0) -> None:
    """Puts on "dark", "light", "contrast" or what the "system" prefers; following it is up to `ui.restyle`.

    palette_name: one of PALETTES; percent: size of fonts; without them, as they are.
    """
    for _ in steps(app, (choice, palette_name, percent), (), ()):
        pass


def steps(app: QApplication, what: tuple[str, str, int], bare: Iterable[None], dress: Iterable[None]) -> Iterator[None]:
    """`apply` in steps, each of which goes through all widgets; bare, dress: steps to do before and after them."""
    now, (choice, palette_name, percent) = current(), what
    now.chosen, now.palette, now.percent = choice, palette_name or now.palette, percent or now.percent
    now.theme = with_palette(THEMES[choice] if choice in THEMES else system_theme(), now.palette)
    if app.style().name() not in ("fusion", ""):  # a style sheet's own style has no name
        app.setStyle("Fusion")
    if app.font() != ui_font():
        app.setFont(ui_font())  # each of these polishes every widget again
    yield from bare
    app.setStyleSheet("")  # putting one off and another on takes a third of the time that changing it does
    yield
    app.setPalette(palette(now.theme))
    yield
    app.setStyleSheet(style_sheet(now.theme))
    if app.font(LISTS) != ui_font():  # type: ignore[call-overload]  # the stub says bytes, which it refuses
        app.setFont(ui_font())
    yield
    yield from dress
    now.changed.emit()


def put_on(app: QCoreApplication | None, settings: Any, choice: str = "") -> None:
    """As the settings (ui.settings) say; choice: another theme than theirs."""
    assert isinstance(app, QApplication)
    use_fonts(settings.value("family"), settings.value("mono"))
    apply(app, choice or settings.value("theme"), settings.value("palette"), settings.value("font"))


def use_fonts(ui: str, mono: str) -> None:
    """Fonts of words and of values, before those that are usual; "": none."""
    if current().families != (ui, mono):
        current().families = ui, mono
        _ui_font.cache_clear()
        _mono_font.cache_clear()


def font_choices(which: str, chosen: str) -> list[tuple[str, str]]:
    """(name, words) of the system's fonts, "all" or the "fixed" ones; the chosen one stays listed when it is gone."""
    names = [name for name in QFontDatabase.families() if which != "fixed" or QFontDatabase.isFixedPitch(name)]
    names += [chosen] if chosen and chosen not in names else []
    return [("", "default"), *((name, name) for name in names if not QFontDatabase.isPrivateFamily(name))]


def paint_hint(painter: QPainter, area: QRect, text: str) -> None:
    """What there could be in an empty place: in the middle, on as many lines as it takes; from the top if not all fits."""
    painter.setPen(theme().color("faint"))
    room, wrapped = area.adjusted(SPACE, SPACE, -SPACE, -SPACE), int(Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap)
    needed = painter.boundingRect(room, wrapped, text)
    painter.drawText(room.adjusted(0, max(room.height() - needed.height(), 0) // 2, 0, 0), wrapped, text)


def paint_focus(painter: QPainter, widget: QWidget) -> None:
    """A frame around a self-painted widget that has the keyboard."""
    if widget.hasFocus():
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme().color("accent"), 1))
        painter.drawRect(widget.rect().adjusted(0, 0, -1, -1))


def mixed(color: QColor, ground: QColor, share: float) -> QColor:
    """An opaque colour: so much of the first over the second."""
    pairs = zip(color.getRgbF(), ground.getRgbF(), strict=True)  # type: ignore[call-overload]  # the stub has no tuple
    return QColor.fromRgbF(*(share * over + (1 - share) * under for over, under in pairs))


@cache
def _first_installed(names: tuple[str, ...]) -> str | None:
    installed = set(QFontDatabase.families())
    return next((name for name in names if name in installed), None)


def ui_font(points: float = 9.5) -> QFont:
    return QFont(shared_ui_font(points))


def mono_font(points: float = 9.0) -> QFont:
    return QFont(shared_mono_font(points))


def shared_ui_font(points: float = 9.5) -> QFont:
    """As `ui_font`, not to be changed by who gets it: painting a list asks thousands of times."""
    return _ui_font(points * current().percent / 100)


def shared_mono_font(points: float = 9.0) -> QFont:
    """As `mono_font`, not to be changed by who gets it."""
    return _mono_font(points * current().percent / 100)


@cache
def _ui_font(points: float) -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    if name := _first_installed((current().families[0], *UI_FONTS)):
        font.setFamily(name)
    font.setPointSizeF(points)
    return font


@cache
def _mono_font(points: float) -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if name := _first_installed((current().families[1], *MONO_FONTS)):
        font.setFamily(name)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPointSizeF(points)
    return font


def palette(theme: Theme) -> QPalette:
    roles = {
        QPalette.ColorRole.Window: theme.window,
        QPalette.ColorRole.WindowText: theme.text,
        QPalette.ColorRole.Base: theme.panel,
        QPalette.ColorRole.AlternateBase: theme.stripe,
        QPalette.ColorRole.Text: theme.text,
        QPalette.ColorRole.PlaceholderText: theme.faint,
        QPalette.ColorRole.Button: theme.raised,
        QPalette.ColorRole.ButtonText: theme.text,
        QPalette.ColorRole.BrightText: theme.error,
        QPalette.ColorRole.Highlight: theme.selection,
        QPalette.ColorRole.HighlightedText: theme.text,
        QPalette.ColorRole.Link: theme.link,
        QPalette.ColorRole.LinkVisited: theme.link,
        QPalette.ColorRole.ToolTipBase: theme.raised,
        QPalette.ColorRole.ToolTipText: theme.text,
        QPalette.ColorRole.Light: theme.raised,
        QPalette.ColorRole.Midlight: theme.raised,
        QPalette.ColorRole.Mid: theme.border,
        QPalette.ColorRole.Dark: theme.border,
        QPalette.ColorRole.Shadow: theme.sunken,
        QPalette.ColorRole.Accent: theme.accent,
    }
    result = QPalette()
    for role, color in roles.items():
        result.setColor(role, QColor(color))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.disabled))
    return result


def style_sheet(theme: Theme) -> str:
    """ui/style.qss in the theme's colours."""
    written = resources.files("ui").joinpath("style.qss").read_text(encoding="utf-8")
    return Template(written).substitute(vars(theme), radius=RADIUS)
