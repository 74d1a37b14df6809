"""The shape of a draw in space: its picture against rays cast one by one, its frustum and nets against figures by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import inspector
from core import cancel
from core.errors import BadInput, Cancelled
from inspector.query.draws.elements import elements
from inspector.query.shapes import painting
from inspector.query.shapes.camera import FIELD, Camera, fitted
from inspector.query.shapes.frustum import of_positions
from inspector.query.shapes.mesh import Mesh, Shape, rectangle_net, triangle_net, turned_over
from inspector.query.shapes.painting import RAMP, SHADINGS, Style, attribute_colors, paint
from inspector.query.shapes.picture import ShapePicture, usual_camera
from inspector.samples import sample_captures
from tests.inspector.query.draws.test_primitives import curves  # noqa: F401

WIDTH, HEIGHT = 64, 48
BARE = Style("unlit", edges=False, frustum=False, net=False)
GROUND = [round(part * 255) for part in BARE.ground]


def mesh_of(points: list | np.ndarray, shapes: list | np.ndarray | None = None, **columns: np.ndarray) -> Mesh:
    places = np.asarray(points, np.float64)
    faces = np.arange(len(places) // 3 * 3).reshape(-1, 3) if shapes is None else np.asarray(shapes, np.int64)
    return Mesh("assembled", "object", places, faces, np.arange(len(faces)), {"position": places.astype(np.float32), **columns})


def hit_by_ray(camera: Camera, triangles: np.ndarray, x: int, y: int) -> tuple[int, float]:
    """(the first triangle that the ray through a pixel's centre meets or -1, how surely: the least distance to any edge)."""
    right, up, forward = camera.axes
    across, down = (x + 0.5 - WIDTH / 2) / (HEIGHT / 2) * FIELD, (y + 0.5 - HEIGHT / 2) / (HEIGHT / 2) * FIELD
    if camera.parallel:
        start = camera.eye + (across * right - down * up) * camera.distance - 1e3 * forward
        way = forward
    else:
        start, way = camera.eye, forward + across * right - down * up
    best, nearest, sure = -1, np.inf, 1.0
    for number, (a, b, c) in enumerate(triangles):  # Möller and Trumbore
        first, second = b - a, c - a
        cross = np.cross(way, second)
        scale = cross @ first
        if abs(scale) < 1e-12:
            continue
        u = cross @ (start - a) / scale
        other = np.cross(start - a, first)
        v, t = way @ other / scale, second @ other / scale
        if t > 1e-6:
            sure = min(sure, abs(u), abs(v), abs(1 - u - v))
        if u >= 0 and v >= 0 and u + v <= 1 and 1e-6 < t < nearest:
            sure = min(sure, abs(nearest - t) if best >= 0 else 1.0)
            best, nearest = number, t
    return best, sure


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_triangle_of_each_pixel_is_the_first_that_its_ray_meets(parallel: bool, seed: int) -> None:
    """Some lie behind the eye, or across it."""
    random = np.random.default_rng(seed)
    triangles = random.normal(0, 1.2, (12, 3, 3))
    mesh = mesh_of(triangles.reshape(-1, 3))
    camera = Camera((0.1, 0.2, -0.3), float(random.uniform(-3, 3)), float(random.uniform(-1, 1)), 1.5, parallel)
    painted = paint(mesh, camera, WIDTH, HEIGHT, BARE)
    sure_ones = 0
    for y in range(0, HEIGHT, 5):
        for x in range(0, WIDTH, 5):
            number, sure = hit_by_ray(camera, triangles, x, y)
            if sure > 1e-3:
                sure_ones += 1
                assert painted.numbers[y, x] == number, (x, y)
    assert sure_ones > 60 and (painted.numbers >= 0).any()


def test_the_target_is_in_the_middle_and_right_is_right() -> None:
    camera = Camera((1, 2, 3), 0.0, 0.0, 5.0)
    painted = paint(mesh_of([(1, 2, 3), (2, 2, 3), (1, 3, 3)]), camera, 100, 100, BARE)
    middle, right, above = (painted.place(vertex) for vertex in range(3))
    assert middle == pytest.approx((50, 50))
    assert right is not None and right[0] > 50 and right[1] == pytest.approx(50)
    assert above is not None and above[0] == pytest.approx(50) and above[1] < 50
    behind = replace(camera, target=(1, 2, 30), distance=5.0)
    assert paint(mesh_of([(1, 2, 3)]), behind, 100, 100, BARE).place(0) is None


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("size", [(300, 100), (100, 300)])
def test_a_fitted_view_shows_every_point_and_wastes_little(parallel: bool, size: tuple[int, int]) -> None:
    points = np.random.default_rng(5).normal(7, 3, (200, 3)) * (1, 9, 0.1)
    camera = fitted(points, *size, Camera(parallel=parallel))
    painted = paint(mesh_of(points, np.zeros((0, 3))), camera, *size, BARE)
    places = np.array([painted.place(vertex) for vertex in range(len(points))], float)
    assert (places >= 0).all() and (places <= size).all()
    assert (np.ptp(places, axis=0) / size).max() > 0.6


def test_turning_around_the_eye_leaves_it_where_it_is() -> None:
    camera = Camera((1, 2, 3), 0.4, 0.2, 5.0)
    assert camera.turned(0.5, 0.1, around_eye=True).eye == pytest.approx(camera.eye)
    around = camera.turned(0.5, 0.1)
    assert around.target == camera.target and np.linalg.norm(around.eye - camera.eye) > 1
    assert camera.moved(0, 0, 2).eye == pytest.approx(camera.eye + 2 * camera.axes[2])


def test_odd_positions_are_left_out() -> None:
    nan, huge = float("nan"), 3e38
    mesh = mesh_of([(0, 0, 0), (nan, 0, 0), (0, 1, 0), (huge, 0, 0), (0, -huge, 0), (0, 0, huge)])
    assert mesh.usable.tolist() == [False, True]
    for style in (BARE, Style("smooth"), Style("wire", "position")):
        painted = paint(mesh, usual_camera(mesh, 40, 40), 40, 40, style, 2)
        assert painted.picture.shape == (40, 40, 3)
    nothing = mesh_of(np.zeros((0, 3)))
    assert (paint(nothing, usual_camera(nothing, 8, 8), 8, 8, BARE).picture == GROUND).all()


def test_wires_hide_nothing_and_solid_triangles_hide_what_is_behind() -> None:
    points = [(-2, -2, 0), (0, 2, 0), (2, -2, 0), (-1, -1, 5), (0, 0.5, 5), (1, -1, 5)]
    mesh, camera = mesh_of(points), Camera((0, 0, 0), 0, 0, 6)

    def edge_pixels(shading: str) -> np.ndarray:
        with_edges = paint(mesh, camera, 200, 200, replace(BARE, shading=shading, edges=True, wire=(1.0, 0.0, 0.0)))
        return (with_edges.picture[..., 0] > 180) & (with_edges.picture[..., 1] < 130)

    wire, solid = edge_pixels("wire"), edge_pixels("unlit")
    inside = np.s_[100:150, 70:130]  # within the front triangle: there are only edges of what is behind it
    assert wire[inside].any() and not solid[inside].any() and solid.sum() > 100


def test_colours_come_from_the_attribute() -> None:
    diffuse = np.array([(1, 0, 0, 1), (1, 0, 0, 1), (1, 0, 0, 1)], np.float32)
    ramped = np.array([[2.0], [4.0], [3.0]], np.float32)
    mesh = mesh_of([(-3, -3, 0), (0, 4, 0), (3, -3, 0)], diffuse=diffuse, rhw=ramped)
    camera = Camera((0, 0, 0), 0, 0, 6)
    assert paint(mesh, camera, 40, 40, replace(BARE, attribute="diffuse")).picture[20, 20].tolist() == [255, 0, 0]
    colors, least, most = attribute_colors(mesh, replace(BARE, attribute="rhw"))
    assert (least, most) == (2, 4) and colors[0] == pytest.approx(RAMP[0]) and colors[1] == pytest.approx(RAMP[-1])
    with pytest.raises(BadInput, match="attribute"):
        paint(mesh, camera, 40, 40, replace(BARE, attribute="fog"))


def test_a_texture_is_seen_the_right_way_up() -> None:
    texture = np.zeros((2, 2, 4), np.uint8)
    texture[0, 0], texture[0, 1], texture[1, 0], texture[1, 1] = (9, 0, 0, 0), (0, 99, 0, 0), (0, 0, 199, 0), (255, 255, 255, 0)
    corners = [(-1, 1, 0), (1, 1, 0), (-1, -1, 0), (1, -1, 0)]
    uv = np.array([(0, 0), (1, 0), (0, 1), (1, 1)], np.float32)
    mesh = replace(mesh_of(corners, [(0, 1, 2), (1, 3, 2)], **{"texture 0": uv}), texture=texture)
    picture = paint(mesh, Camera((0, 0, 0), 0, 0, 1 / FIELD, parallel=True), 40, 40, replace(BARE, attribute="texture")).picture
    found = [picture[y, x].tolist() for y, x in ((5, 5), (5, 35), (35, 5), (35, 35))]
    assert found == [[9, 0, 0], [0, 99, 0], [0, 0, 199], [255, 255, 255]]


def test_flat_faces_are_even_and_smooth_ones_are_not() -> None:
    x, z = np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-1, 1, 9))
    points = np.stack([x, 0.7 - (x**2 + z**2) / 2, z], -1).reshape(-1, 3)
    cell = np.arange(81).reshape(9, 9)
    faces = np.stack([cell[:-1, :-1], cell[1:, :-1], cell[1:, 1:], cell[:-1, :-1], cell[1:, 1:], cell[:-1, 1:]], -1)
    mesh = mesh_of(points, faces.reshape(-1, 3))
    camera = Camera((0, 0, 0), 0.3, 1.0, 3)
    flat, smooth = (paint(mesh, camera, 200, 200, replace(BARE, shading=name)) for name in ("flat", "smooth"))
    one = flat.numbers == flat.numbers[100, 100]
    assert len(np.unique(flat.picture[one], axis=0)) == 1 < len(np.unique(smooth.picture[one], axis=0))


def test_a_click_finds_primitive_and_corner() -> None:
    mesh = mesh_of([(-1, -1, 0), (0, 1, 0), (1, -1, 0)])
    painted = paint(mesh, Camera((0, 0, 0), 0, 0, 4), 100, 100, BARE)
    top = painted.place(1)
    assert top is not None
    assert painted.at(mesh, top[0], top[1] + 6) == (0, 1)
    assert painted.at(mesh, top[0], top[1] - 6) == (0, 1), "close by"
    assert painted.at(mesh, 2, 2) == (-1, -1) == painted.at(mesh, -50, 500)


# ---- frustum and nets


def perspective(field: float, near: float, far: float) -> np.ndarray:
    """D3DXMatrixPerspectiveFovLH of a square."""
    scale, depth = 1 / np.tan(field / 2), far / (far - near)
    return np.array([(scale, 0, 0, 0), (0, scale, 0, 0), (0, 0, depth, 1), (0, 0, -near * depth, 0)])


CORNERS = [(-1, 1, 1), (1, 1, 1), (-1, -1, 1), (1, -1, 1), (-3, 3, 3), (3, 3, 3), (-3, -3, 3), (3, -3, 3)]
"""Of a view of 90 degrees from 1 to 3."""


def test_the_frustum_of_a_shader_is_found_from_what_it_does() -> None:
    before = np.random.default_rng(2).normal(0, 3, (40, 3))
    after = np.column_stack([before, np.ones(40)]) @ perspective(np.pi / 2, 1, 3)
    assert of_positions(before, after) == pytest.approx(np.array(CORNERS), abs=1e-6)
    assert of_positions(before * (1, 1, 0), after) is None, "in a plane"
    assert of_positions(before, after**2) is None, "no linear map"
    assert of_positions(before[:3], after[:3]) is None


def test_the_frustum_of_the_fixed_function_comes_from_its_matrices() -> None:
    from core.spec.slots import BASE, SLOTS
    from inspector.query.shapes.frustum import of_matrices

    vector = np.zeros(SLOTS, np.uint32)
    for name, matrix in (
        ("world", np.eye(4) * (2, 2, 2, 1)),
        ("view", np.eye(4)),
        ("projection", perspective(np.pi / 2, 1, 3)),
    ):
        vector[BASE[name] : BASE[name] + 16] = matrix.astype(np.float32).view(np.uint32).reshape(-1)
    assert of_matrices(vector) == pytest.approx(np.array(CORNERS) / 2, abs=1e-6)
    vector[BASE["projection"] : BASE["projection"] + 16] = 0
    assert of_matrices(vector) is None


def test_nets_of_control_points() -> None:
    edges = {tuple(sorted(edge)) for edge in rectangle_net(2, 3).tolist()}
    assert edges == {(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)}
    assert {tuple(sorted(edge)) for edge in triangle_net(1).tolist()} == {(0, 1), (0, 2), (1, 2)}
    assert len(triangle_net(3)) == 18 and triangle_net(3).max() == 9


@pytest.mark.parametrize(
    ("primitive", "count", "found"),
    [
        ("TRIANGLELIST", 4, [(0, 1, 2)]),
        ("TRIANGLESTRIP", 4, [(0, 1, 2), (1, 3, 2)]),
        ("TRIANGLEFAN", 4, [(0, 1, 2), (0, 2, 3)]),
        ("LINELIST", 5, [(0, 1), (2, 3)]),
        ("LINESTRIP", 3, [(0, 1), (1, 2)]),
        ("POINTLIST", 2, [(0,), (1,)]),
        ("TRIANGLELIST", 0, []),
    ],
)
def test_elements_of_primitives(primitive: str, count: int, found: list[tuple[int, ...]]) -> None:
    assert list(map(tuple, elements(primitive, count).tolist())) == found


# ---- of captures

TORUS = 595


def test_the_spaces_of_a_draw_are_those_of_its_vertices(room: inspector.Capture) -> None:
    rows = room.vertices(TORUS, "transformed").rows
    screen, clip, thing = (room.ask(Shape(TORUS, "transformed", space)) for space in ("screen", "clip", "object"))
    assert screen.points[:, 0].tolist() == rows["screen.x"].tolist()
    inside = rows["clip.w"] > 0
    assert clip.points[inside, 1] == pytest.approx(rows["clip.y"][inside] / rows["clip.w"][inside], rel=1e-6)
    assert thing.points[:, 2].tolist() == room.vertices(TORUS, "assembled").rows["position.z"].tolist()
    assert thing.space == "object" and len(thing.shapes) == room.primitives(TORUS)
    # what the frustum in object space holds is what lies in the box of clip space
    assert thing.box is not None
    low, high = thing.box.min(axis=0), thing.box.max(axis=0)
    within = (np.abs(clip.points[:, :2]) <= 1).all(axis=1) & (clip.points[:, 2] >= 0) & (clip.points[:, 2] <= 1)
    assert within.any() and ((thing.points[within] >= low) & (thing.points[within] <= high)).all()


def test_what_is_flat_is_seen_from_the_front_and_as_on_the_screen() -> None:
    """XYZRHW has no space but the screen's; a projection for interfaces lets y grow downwards."""
    with inspector.open(next(path for title, path in sample_captures() if title == "Tokens")) as tokens:
        fan = int(tokens.draws[0])
        shapes = [tokens.ask(Shape(fan, space=space)) for space in ("", "object", "clip")]
        assert {shape.space for shape in shapes} == {"screen"} and shapes[0].spaces == ("screen",)
        assert usual_camera(shapes[1], 40, 30).axes.tolist() == np.eye(3).tolist()
    corners = np.array([[10.0, 20, 5], [30, 20, 5], [30, 60, 5], [10, 60, 5]])
    sprite = Mesh("assembled", "object", corners, np.array([[0, 1, 2], [0, 2, 3]]), np.arange(2))
    assert sprite.flat and usual_camera(sprite, 40, 30).axes.tolist() == np.eye(3).tolist()
    leaning = replace(sprite, points=corners + np.outer([0, 0, 1, 1], [0, 0, 9]))
    assert not leaning.flat and usual_camera(leaning, 40, 30).yaw > 0
    box = np.array([[x, y, z] for z in (0.0, 1.0) for y in (-300.0, 300.0) for x in (-400.0, 400.0)])
    assert turned_over(box) and not turned_over(box * (1, -1, 1)) and not turned_over(None)
    assert not turned_over(box * np.where(box[:, 2:] > 0, 3, 1)), "in perspective it stays as it is"


def test_clipped_shapes_know_their_primitives(room: inspector.Capture) -> None:
    clipped = room.ask(Shape(TORUS, "clipped"))
    rows = room.vertices(TORUS, "clipped").rows
    assert clipped.space == "screen" and clipped.primitives.tolist() == rows["primitive"][::3].tolist()
    assert room.ask(Shape(TORUS, "primitives")).primitives.tolist() == clipped.primitives.tolist()


def test_the_texture_of_a_draw_comes_with_its_shape_if_asked_for(room: inspector.Capture) -> None:
    assert room.ask(Shape(TORUS)).texture is None
    texture = room.ask(Shape(TORUS, textured=True)).texture
    handle = room.state(TORUS)["TEXTURESTAGE", 0, "TEXTUREMAP"].value
    assert texture is not None and (texture == room.image(TORUS, handle)).all()


def test_patches_bring_their_net(curves: inspector.Capture) -> None:  # noqa: F811
    _, patch, npatch = curves.draws.tolist()
    drawn = curves.ask(Shape(patch, "tessellated"))
    assert len(drawn.net_points) == 4 and len(drawn.net) == 4 and len(drawn.shapes) == 8 and set(drawn.primitives) == {0}
    points = curves.ask(Shape(patch, "assembled"))
    assert points.shapes.shape == (4, 1) and len(points.net) == 4 and not points.primitives.any()
    curved = curves.ask(Shape(npatch, "tessellated"))
    assert len(curved.net) == 3 and len(curved.shapes) == 4 and set(curved.primitives) == {0}


def test_what_cannot_be_shown_is_refused(room: inspector.Capture) -> None:
    for query in (Shape(0), Shape(TORUS, "inputs"), Shape(TORUS, space="world"), ShapePicture(TORUS, width=0),
                  ShapePicture(TORUS, style=Style("shiny"))):  # fmt: skip
        with pytest.raises(BadInput):
            room.ask(query)


def test_a_picture_of_a_draw_shows_it(room: inspector.Capture) -> None:
    picture = room.ask(ShapePicture(TORUS, "transformed", style=BARE, width=320, height=240))
    shown = (picture != GROUND).any(axis=2)
    assert picture.shape == (240, 320, 3) and 0.005 < shown.mean() < 0.2 and not shown[:100].any(), "low on the screen"


class Looks:
    """Counts looks; says Stop at one of them."""

    def __init__(self, stop: int = -1) -> None:
        self.count, self.stop = 0, stop

    def __call__(self) -> bool:
        self.count += 1
        return self.count == self.stop


def _large() -> Mesh:
    """Triangles near and far, some of them partly behind the eye."""
    return mesh_of(np.random.default_rng(5).normal(0, 1.2, (60, 3)))


@pytest.mark.parametrize("corners", [3, 2, 1])
@pytest.mark.parametrize("shading", SHADINGS)
def test_a_picture_painted_in_pieces_is_the_picture(corners: int, shading: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of several shapes, of one shape, and of parts of a shape."""
    mesh = _large()
    mesh = replace(mesh, shapes=np.arange(60).reshape(-1, corners), primitives=np.arange(60 // corners))
    camera = Camera((0.1, 0.2, -0.3), 0.4, 0.3, 3.0)
    monkeypatch.setattr(cancel, "SELDOM", 0.0)
    found, looks = [], []
    for piece in (painting.PIECE, 1000, 100):
        monkeypatch.setattr(painting, "PIECE", piece)
        looks.append(Looks())
        with cancel.cancellable(looks[-1]):
            found.append(paint(mesh, camera, WIDTH, HEIGHT, Style(shading), 2))
    assert looks[0].count < looks[1].count < looks[2].count and len(np.unique(found[0].picture)) > 3
    for other in found[1:]:
        assert np.array_equal(other.picture, found[0].picture) and np.array_equal(other.numbers, found[0].numbers)


def test_pieces_hold_all_shapes_in_order_and_few_pixels() -> None:
    sizes = np.array([0, 1, painting.PIECE - 100, 5, 3 * painting.PIECE, 0, 0, painting.PIECE / 2], float)
    found = list(painting.pieces(sizes))
    assert [start for start, _, _ in found] == [0, *(stop for _, stop, _ in found[:-1])] and found[-1][1] == len(sizes)
    assert (4, 5, 3) in found and all(parts == 1 for start, _, parts in found if start != 4)
    assert all(sizes[start:stop].sum() <= painting.PIECE * parts for start, stop, parts in found)
    assert not list(painting.pieces(np.zeros(0)))
    assert len(list(painting.pieces(np.zeros(3 * painting.PIECE // painting.SHAPE)))) == 3


def test_stop_ends_a_picture_between_two_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancel, "SELDOM", 0.0)
    monkeypatch.setattr(painting, "PIECE", 2000)
    asked = Looks(10)
    with pytest.raises(Cancelled), cancel.cancellable(asked):
        paint(_large(), Camera(), WIDTH, HEIGHT, BARE)
    assert asked.count == 10
