"""The Vertices panel on the built-in capture: memory with its bytes, and one selection in grid, shape and focus."""

from __future__ import annotations

import gc
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog

import ui.widgets.mesh_view
from core.cancel import cancellable, look
from core.errors import Cancelled
from inspector.query.draws.streams import Streams
from inspector.query.shapes.mesh import Shape
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.models.memory import MemoryModel, stream_cells
from ui.roles import SWATCH_ROLE
from ui.widgets.mesh_view import MeshView
from ui.window import Window

TORUS = 595
Key, Button = Qt.Key, Qt.MouseButton


def opened(qtbot: Any, window: Window, which: str = "assembled", event: int = TORUS) -> Any:
    window.docks.bring("vertices")
    window.desk.focus.go(event=event)
    panel: Any = window.docks.panels["vertices"]
    panel._choose(which)
    settle(qtbot, window, 30_000)
    painted(qtbot, panel.mesh)
    return panel


def painted(qtbot: Any, view: MeshView) -> None:
    """Waits until the shape stands still and is painted."""
    qtbot.waitUntil(lambda: view.found is not None and not view._busy and not view._moving, timeout=60_000)


def texts(model: Any, row: int) -> list[str]:
    return [model.index(row, column).data() for column in range(model.columnCount())]


def test_a_stream_shows_values_and_bytes(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = opened(qtbot, real, "streams")
    assert real.desk.capture is not None
    stream = real.desk.capture.ask(Streams(TORUS)).streams[0]
    x, y, z = stream.rows["position"][20].tolist()
    number, offset, position, octets, *_ = texts(panel.memory, 20)
    assert (number, offset) == ("20", f"{20 * stream.stride:#x}")
    assert [float(part) for part in position.split()] == pytest.approx([x, y, z], rel=1e-5, abs=1e-6)
    assert bytes.fromhex(octets.replace(" ", "")) == stream.bytes_of(20)[:12]
    assert panel.memory.headerData(3, Qt.Orientation.Horizontal) == "FLOAT3 +0"
    assert panel.streams.currentText() == f"Stream 0:  buffer {stream.buffer}, stride {stream.stride}"
    assert panel.memory.rowCount() == stream.count == 779


def test_an_index_shows_what_it_selects(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = opened(qtbot, real, "indices")
    assert real.desk.capture is not None
    indices = real.desk.capture.ask(Streams(TORUS)).indices
    assert indices is not None and panel.memory.rowCount() == len(indices.indices)
    value = int(indices.indices[5])
    assert texts(panel.memory, 5) == ["5", "0xa", value.to_bytes(2, "little").hex(" "), str(value), str(value + indices.base)]
    panel.bytes_table.setFocus()
    panel.bytes_table.setCurrentIndex(panel.memory.index(5, 0))
    assert real.desk.focus.focus.vertex == 5
    panel._choose("streams")
    settle(qtbot, real)
    assert [index.row() for index in panel.bytes_table.selectionModel().selectedRows()] == [value + indices.base]


def test_a_draw_without_indices_shows_assembled_vertices(qtbot: Any, real: Window) -> None:  # noqa: F811
    assert real.desk.capture is not None
    capture = real.desk.capture
    plain = next(event for event in capture.draws.tolist() if capture.name(event) == "DRAWPRIMITIVE")
    panel = opened(qtbot, real, "indices", plain)
    assert next(button.text() for button in panel.buttons.buttons() if button.isChecked()) == "Assembled"
    assert panel.note.text().endswith("no indices")


def test_a_click_in_the_shape_selects_rows_and_a_row_the_vertex(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = opened(qtbot, real)
    view = panel.mesh
    ys, xs = np.nonzero(view.found.numbers >= 0)
    place = QPoint(int(xs[len(xs) // 2]), int(ys[len(ys) // 2])) / view.devicePixelRatioF()
    qtbot.mouseClick(view, Button.LeftButton, pos=place)
    focus = real.desk.focus.focus
    shape = int(view.found.numbers[ys[len(ys) // 2], xs[len(xs) // 2]])
    assert focus.primitive == shape and focus.vertex in view.mesh.shapes[shape].tolist()
    settle(qtbot, real)
    assert panel.table.currentIndex().row() == focus.vertex
    panel.table.setFocus()
    panel.table.setCurrentIndex(panel.model.index(7, 0))
    assert real.desk.focus.focus.vertex == 7 and real.desk.focus.focus.primitive is None, "no corner of what was clicked on"
    assert view._chosen == (2, 7), "the third triangle of the list has its seventh to ninth vertex"
    real.desk.focus.go(primitive=2)
    settle(qtbot, real)
    panel.table.setCurrentIndex(panel.model.index(8, 0))
    assert real.desk.focus.focus.vertex == 8 and real.desk.focus.focus.primitive == 2


def test_a_primitive_from_elsewhere_selects_its_corners(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = opened(qtbot, real)
    real.desk.focus.go(primitive=10)
    settle(qtbot, real)
    rows = [index.row() for index in panel.table.selectionModel().selectedRows()]
    assert sorted(rows) == [30, 31, 32] and panel.mesh._chosen == (10, None)
    panel._choose("primitives")
    settle(qtbot, real)
    assert panel.table.currentIndex().row() == 10
    assert real.desk.capture is not None
    fates = real.desk.capture.vertices(TORUS, "primitives").rows["fate"].tolist()
    words = panel.note.text().partition(":  ")[2].strip().split(", ")
    assert {word.partition(" ")[2]: int(word.partition(" ")[0].replace(",", "")) for word in words} == {
        fate: fates.count(fate) for fate in set(fates)
    }
    bounds = {texts(panel.model, row)[2]: texts(panel.model, row)[5:] for row in range(panel.model.rowCount())}
    assert bounds["clipped: bottom"] == [""] * 4 and all(bounds["culled (CW)"]), "turned away, but on the screen"


def test_a_picked_pixel_marks_its_primitive(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = opened(qtbot, real)
    assert real.desk.capture is not None
    corners = real.desk.capture.vertices(TORUS, "transformed").rows
    x, y = (corners[name].reshape(-1, 3).astype(np.float64) for name in ("screen.x", "screen.y"))
    fates = real.desk.capture.vertices(TORUS, "primitives").rows["fate"]
    pixel = round(float(x[fates == "drawn"][9].mean())), round(float(y[fates == "drawn"][9].mean()))
    sides = [(pixel[0] - x[:, n]) * (y[:, n - 2] - y[:, n]) - (pixel[1] - y[:, n]) * (x[:, n - 2] - x[:, n]) for n in range(3)]
    covering = np.flatnonzero((np.sign(sides) == np.sign(sides[0])).all(axis=0) & (fates == "drawn"))
    real.desk.focus.go(pixel=pixel)
    settle(qtbot, real)
    assert panel.mesh._chosen == (covering[-1], None) and real.desk.focus.focus.primitive is None
    assert panel.table.currentIndex().row() // 3 == covering[-1]
    real.desk.focus.go(pixel=(0, 0))
    settle(qtbot, real)
    assert panel.mesh._chosen == (None, None), "the draw covers nothing there"


def test_a_vertex_leads_to_its_pixel(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = opened(qtbot, real)
    row = next(action for action in panel._menu_of(0).actions() if action.text() == "Go to its pixel")
    row.trigger()
    settle(qtbot, real)
    assert real.desk.capture is not None
    first = real.desk.capture.vertices(TORUS, "transformed").rows[0]
    assert real.desk.focus.focus.pixel == (int(first["screen.x"] + 0.5), int(first["screen.y"] + 0.5))


def test_an_obj_is_saved_with_its_material_and_texture(
    qtbot: Any,
    real: Window,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    panel = opened(qtbot, real)
    folder = tmp_path / "saved"
    folder.mkdir()
    path = folder / "torus.obj"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *about: (str(path), ""))
    panel.export.click()
    settle(qtbot, real, 30_000)
    assert {file.name for file in folder.iterdir()} == {"torus.obj", "torus.mtl", "torus-stage0.png"}
    assert "mtllib torus.mtl" in path.read_text().splitlines()
    assert panel.note.text().endswith(f"rows to {path}, with torus.mtl, torus-stage0.png")


def test_the_shape_is_shown_in_the_space_that_is_chosen(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = opened(qtbot, real)
    assert panel.mesh.mesh.space == "object"
    panel.shape.space.setCurrentIndex(panel.shape.space.findData("clip"))
    panel.shape.space.activated.emit(1)
    settle(qtbot, real)
    assert panel.mesh.mesh.space == "clip"
    panel._choose("transformed")
    settle(qtbot, real)
    assert panel.mesh.mesh.space == "screen", "every tab has its own"
    panel.shape.attribute.setCurrentIndex(panel.shape.attribute.findData("texture"))
    panel.shape.attribute.activated.emit(1)
    settle(qtbot, real)
    assert panel.mesh.mesh.texture is not None


@pytest.fixture
def view(qtbot: Any, real: Window) -> MeshView:  # noqa: F811
    view = MeshView()
    qtbot.addWidget(view)
    view.resize(300, 200)
    view.show()
    qtbot.waitExposed(view).__enter__()
    assert real.desk.capture is not None
    view.set_mesh(real.desk.capture.ask(Shape(TORUS)))
    painted(qtbot, view)
    return view


def test_a_view_that_ends_while_it_is_painted_ends_at_once(qtbot: Any, view: MeshView, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that referred to it would emit a signal of what Qt destroys, or destroy it itself."""
    go_on, began, paints = threading.Event(), threading.Event(), ui.widgets.mesh_view.paint

    def slow(*given: Any) -> Any:
        began.set()
        go_on.wait()
        return paints(*given)

    monkeypatch.setattr(ui.widgets.mesh_view, "paint", slow)
    ending = MeshView()
    ending.set_mesh(view.mesh)
    ending.show()
    qtbot.waitUntil(began.is_set)
    thread, gone = ending._thread, weakref.ref(ending)
    ending.deleteLater()
    del ending
    qtbot.waitUntil(lambda: not gc.collect() and gone() is None)
    assert thread is not None and thread.is_alive()
    go_on.set()
    thread.join()
    qtbot.wait(1)  # what it found is delivered to nobody


def test_another_shape_is_painted_quickly_and_smooth_once_it_stays(
    qtbot: Any, view: MeshView, monkeypatch: pytest.MonkeyPatch
) -> None:
    paints, samples = ui.widgets.mesh_view.paint, list[int]()
    monkeypatch.setattr(ui.widgets.mesh_view, "paint", lambda *given: (samples.append(given[5]), paints(*given))[1])
    view.set_mesh(view.mesh)
    painted(qtbot, view)
    assert (samples[0], samples[-1]) == (1, 2)


def test_another_shape_ends_the_painting_of_the_one_before(qtbot: Any, view: MeshView, monkeypatch: pytest.MonkeyPatch) -> None:
    paints, asked, ended, enough = ui.widgets.mesh_view.paint, threading.Event(), threading.Event(), threading.Event()

    def endless(*given: Any) -> Any:
        asked.set()
        try:
            with cancellable(given[-1]):
                while not enough.wait(0.001):
                    look()
        except Cancelled:
            ended.set()
            raise
        return paints(*given)

    mesh, view.found = view.mesh, None
    monkeypatch.setattr(ui.widgets.mesh_view, "paint", endless)
    view.repaint_shape()
    qtbot.waitUntil(asked.is_set)
    monkeypatch.setattr(ui.widgets.mesh_view, "paint", paints)
    view.set_mesh(mesh)
    try:
        qtbot.waitUntil(ended.is_set)
    finally:
        enough.set()
    painted(qtbot, view)


def test_the_camera_follows_mouse_and_keys(qtbot: Any, view: MeshView) -> None:
    first = view.camera
    qtbot.keyClick(view, Key.Key_Plus)
    assert view.camera.distance < first.distance
    qtbot.keyClick(view, Key.Key_Up)
    assert view.camera.pitch > first.pitch
    qtbot.keyClick(view, Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert view.camera.target != first.target
    view.fit()
    qtbot.mousePress(view, Button.LeftButton, pos=QPoint(100, 100))
    qtbot.mouseMove(view, QPoint(140, 100))
    qtbot.mouseRelease(view, Button.LeftButton, pos=QPoint(140, 100))
    view.flying, eye = True, view.camera.eye
    qtbot.keyClick(view, Key.Key_Period)
    assert view.camera.eye == pytest.approx(eye), "to fly, one turns the head"
    pitch = view.camera.pitch
    qtbot.mousePress(view, Button.LeftButton, pos=QPoint(50, 10))
    qtbot.mouseMove(view, QPoint(50, 10 + view.height() // 2))
    assert view.camera.pitch - pitch == pytest.approx(np.radians(22.5), rel=0.02), "half of the 45 degrees that are seen"
    qtbot.mouseRelease(view, Button.LeftButton, pos=QPoint(50, 10 + view.height() // 2))
    qtbot.keyClick(view, Key.Key_Backspace)
    assert view.camera.yaw == first.yaw and view.camera.distance == pytest.approx(first.distance)
    painted(qtbot, view)


def test_a_stream_of_a_million_vertices_is_read_where_it_is_seen(real: Window) -> None:  # noqa: F811
    from dataclasses import replace

    assert real.desk.capture is not None
    stream = real.desk.capture.ask(Streams(TORUS)).streams[0]
    large = replace(stream, data=np.tile(stream.data, 1300))
    model = MemoryModel()
    model.show_cells(stream_cells(large), large.count)
    assert model.rowCount() > 1_000_000
    assert model.index(779 * 1000 + 3, 2).data() == model.index(3, 2).data()
    assert model.index(0, 2).data(SWATCH_ROLE) is None
