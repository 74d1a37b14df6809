"""The controls above the shape of a draw: shading, colours, space, guides; and the shape itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.query.shapes.mesh import SPACES, Mesh
from inspector.query.shapes.painting import SHADINGS, TEXTURE
from ui.keys.keymap import KEYS
from ui.widgets.controls import Choice, label, tool
from ui.widgets.folding import FoldingStrip
from ui.widgets.mesh_view import MeshView
from ui.words import figure

SHADING_TITLES = {"wire": "Wires", "flat": "Flat", "smooth": "Smooth", "unlit": "Unlit"}
SPACE_TITLES = {"object": "Object space", "clip": "Clip space", "screen": "Screen"}
SCREEN_ONLY = "These vertices are given in screen coordinates (XYZRHW)"
PLAIN_TITLE, TEXTURE_TITLE = "One colour", "Texture"
SWITCHES = (
    ("edges", "Edges", "Draw the edges of triangles over their surface"),
    ("frustum", "Frustum", "Draw what the projection sees: in screen space, the viewport"),
    ("net", "Net", "Draw the control points of a patch, or the flat triangles of an N-patch"),
)


class ShapeControls(QWidget):
    """`asked`: another space or the texture is wanted, which takes another question."""

    asked = Signal()

    def __init__(self, kept: Callable[[str, Any], Any], keep: Callable[[str, Any], None]) -> None:
        super().__init__()
        self._kept, self._keep = kept, keep
        self.view = MeshView()
        self.shading = _choice("Shading of the shape", [(SHADING_TITLES[name], name) for name in SHADINGS])
        self.attribute = _choice("Colour of the shape", [(PLAIN_TITLE, ""), (TEXTURE_TITLE, TEXTURE)])
        self.space = _choice("Space of the shape", [(SPACE_TITLES[name], name) for name in SPACES])
        self._spaces: dict[str, str] = {}
        self._which = ""
        self.range = label(kind="faint")
        self.switches = {name: self._switch(*row) for name, *row in ((one[0], *one) for one in SWITCHES)}
        self.fly = tool("Fly", "Drag to look around; the wheel moves forward and back", text="Fly", checkable=True)
        self.fly.setObjectName("dense")
        self.fly.toggled.connect(self._set_flying)
        fit = tool("Fit the shape", KEYS.hint("Fit the whole shape into the view", "mesh.fit"), "fit")
        fit.clicked.connect(self.view.fit)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        left = (self.shading, self.attribute, self.space, fit, self.range)
        box.addWidget(FoldingStrip(left, (*self.switches.values(), self.fly), firm=1))
        box.addWidget(self.view, 1)
        self._restore()
        self.shading.activated.connect(lambda _: self._shade())
        self.attribute.activated.connect(lambda _: self._color())
        self.space.activated.connect(lambda _: self._choose_space())
        self.view.painted.connect(self._show_range)

    def _switch(self, name: str, text: str, about: str) -> Any:
        button = tool(text, about, text=text, checkable=True, checked=self._kept(name, True))
        button.setObjectName("dense")
        button.toggled.connect(lambda on: self._turn(name, on))
        return button

    def _restore(self) -> None:
        shading = self._kept("shading", "flat")
        self.shading.setCurrentIndex(max(self.shading.findData(shading), 0))
        on = {name: button.isChecked() for name, button in self.switches.items()}
        self.view.set_style(shading=self.shading.currentData(), **on)

    # What is shown

    @property
    def textured(self) -> bool:
        """Whether the texture is wanted."""
        return self.attribute.currentData() == TEXTURE

    def space_of(self, which: str) -> str:
        """The space chosen for a tab; "" for its own."""
        return self._spaces.get(which, "")

    def show_mesh(self, which: str, mesh: Mesh | None, hint: str = "") -> None:
        """The shape of a tab."""
        self._which, self.view.hint = which, hint
        if mesh is not None:
            self._list_attributes(mesh)
            self.space.setEnabled(len(mesh.spaces) > 1)
            self.space.setToolTip(self.space.accessibleName() if len(mesh.spaces) > 1 else SCREEN_ONLY)
            self.space.setCurrentIndex(self.space.findData(mesh.space))
        self.switches["net"].setVisible(mesh is not None and len(mesh.net) > 0)
        self.view.set_mesh(mesh)

    def _list_attributes(self, mesh: Mesh) -> None:
        """What can give the colour; what was chosen stays, if there is such a thing."""
        chosen = self.view.style_.attribute
        rows = [(PLAIN_TITLE, ""), (TEXTURE_TITLE, TEXTURE), *((name, name) for name in mesh.columns)]
        self.attribute.clear()
        for title, name in rows:
            self.attribute.addItem(title, name)
        self.attribute.setCurrentIndex(max(self.attribute.findData(chosen), 0))

    def _shade(self) -> None:
        self._keep("shading", self.shading.currentData())
        self.view.set_style(shading=self.shading.currentData())

    def _color(self) -> None:
        self.view.set_style(attribute=self.attribute.currentData())
        mesh = self.view.mesh
        if self.textured and mesh is not None and mesh.texture is None:
            self.asked.emit()

    def _choose_space(self) -> None:
        self._spaces[self._which] = self.space.currentData()
        self.asked.emit()

    def _turn(self, name: str, on: bool) -> None:
        self._keep(name, on)
        self.view.set_style(**{name: on})

    def _set_flying(self, on: bool) -> None:
        self.view.flying = on

    def _show_range(self) -> None:
        """What the ends of the ramp of colours mean."""
        found, name, mesh = self.view.found, self.attribute.currentData(), self.view.mesh
        column = mesh.columns.get(name) if mesh is not None else None
        if name == TEXTURE and mesh is not None and (mesh.texture is None or mesh.coordinates is None):
            self.range.setText("no texture" if mesh.texture is None else "no texture coordinates")
        elif found is None or column is None:
            self.range.setText("")
        else:
            self.range.setText(f"{figure(found.least)} to {figure(found.most)}")


def _choice(name: str, rows: list[tuple[str, str]]) -> Choice:
    choice = Choice(name)
    for title, data in rows:
        choice.addItem(title, data)
    choice.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToContents)
    choice.setMinimumWidth(choice.fontMetrics().horizontalAdvance("Object s") + 34)
    return choice
