"""Hues of kinds of events and of marks, by the name of a palette: for eyes that tell others apart."""

from __future__ import annotations

Hues = dict[str, str]
PALETTES: dict[str, tuple[Hues, Hues]] = {
    "usual": ({}, {}),
    "tol": (
        {"draw": "#ee8866", "clear": "#eedd88", "transform": "#77aadd", "shader": "#ffaabb", "resource": "#44bb99",
         "copy": "#99ddff", "accent": "#ee8866", "error": "#ffaabb", "warning": "#eedd88", "good": "#44bbcc",
         "changed": "#bbcc33"},
        {"draw": "#994455", "clear": "#997700", "transform": "#004488", "shader": "#aa3377", "resource": "#117766",
         "copy": "#3377aa", "accent": "#994455", "error": "#994455", "warning": "#7a5f00", "good": "#004488",
         "changed": "#7a5f00"},
    ),
    "blue-orange": (
        {"draw": "#ff9f40", "clear": "#ffd9a6", "transform": "#4da3ff", "shader": "#9ccbff", "resource": "#3585e4",
         "copy": "#d3e8ff", "accent": "#ff9f40", "error": "#ff9f40", "warning": "#ffd9a6", "good": "#6db4ff",
         "changed": "#ffc37d"},
        {"draw": "#b35900", "clear": "#8a6a3f", "transform": "#134279", "shader": "#08264d", "resource": "#2d68ab",
         "copy": "#5789c4", "accent": "#a04f00", "error": "#a04f00", "warning": "#75552d", "good": "#1f5fa8",
         "changed": "#8a4a10"},
    ),
}  # fmt: skip
"""Other hues of kinds of events and of marks, on dark and on light ground.  tol: Paul Tol, Colour Schemes (2021), light on dark
and medium contrast on light, some darkened until words can be read."""
