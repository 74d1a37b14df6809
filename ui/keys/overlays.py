"""The overlays by section, as menus, legends and commands call them (KINDS of inspector.query.pixels.overlay)."""

from __future__ import annotations

TITLES = (
    ("This draw", {
        "tests": "Tests", "depth": "Depth test", "stencil": "Stencil test", "alpha": "Alpha test", "culled": "Culled",
        "clipped": "Clipped", "draw": "Fragments",
    }),
    ("This frame so far", {
        "last_writer": "Last writer", "first_writer": "First writer", "frame": "Overdraw", "written": "Overdraw, written",
        "rejected": "Overdraw, rejected", "clear": "Drawn, cleared", "age": "Age in frames", "z_fighting": "Z-fighting",
    }),
    ("Each pixel's last fragment", {
        "blended": "Blended", "fog": "Fogged", "fog_amount": "Amount of fog", "alpha_tested": "Alpha tested",
        "shading": "Shading", "triangle_size": "Triangle size", "mip": "Mip level", "density": "Texels per pixel",
        "magnification": "Magnification",
    }),
    ("Values", {"range": "Out of range"}),
)  # fmt: skip
"""Section -> overlay -> title."""
OF_NAME = {name: title for _, titles in TITLES for name, title in titles.items()}
NAMES = ("", *OF_NAME)
"""In the order of the menu; empty: none."""
COMMANDS = {f"overlay-{name or 'none'}": name for name in NAMES}
"""Command (ui.keys.commands) -> overlay."""
