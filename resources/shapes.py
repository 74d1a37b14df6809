"""Meshes, matrices and procedural textures of the built-in scene.  numpy only.

Matrices are row-vector Direct3D matrices (v * M), float64 (4, 4): rounded once, when a device gets them, they are the same
on every machine.  Meshes are float32 rows in FVF order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

Mesh = tuple[np.ndarray, np.ndarray]


# ---- matrices --------------------------------------------------------------------------------------------------------


def identity() -> np.ndarray:
    return np.eye(4)


def translation(x: float, y: float, z: float) -> np.ndarray:
    matrix = identity()
    matrix[3, :3] = x, y, z
    return matrix


def scaling(x: float, y: float, z: float) -> np.ndarray:
    return np.diag([x, y, z, 1.0])


def rotation_x(angle: float) -> np.ndarray:
    matrix = identity()
    matrix[1:3, 1:3] = [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
    return matrix


def rotation_y(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    matrix = identity()
    matrix[0, 0], matrix[0, 2], matrix[2, 0], matrix[2, 2] = c, -s, s, c
    return matrix


def look_at(eye: np.ndarray, target: np.ndarray, up: Sequence[float] = (0.0, 1.0, 0.0)) -> np.ndarray:
    """Left-handed view matrix."""
    z = (target - eye) / np.linalg.norm(target - eye)
    x = np.cross(up, z)
    x /= np.linalg.norm(x)
    y = np.cross(z, x)
    matrix = identity()
    matrix[:3, 0], matrix[:3, 1], matrix[:3, 2] = x, y, z
    matrix[3, :3] = -x @ eye, -y @ eye, -z @ eye
    return matrix


def perspective(field_of_view: float, aspect: float, near: float, far: float) -> np.ndarray:
    """Left-handed projection; `field_of_view` is vertical, in radians."""
    scale = 1 / math.tan(field_of_view / 2)
    matrix = np.zeros((4, 4))
    matrix[0, 0], matrix[1, 1] = scale / aspect, scale
    matrix[2, 2], matrix[2, 3], matrix[3, 2] = far / (far - near), 1, -near * far / (far - near)
    return matrix


# ---- meshes: position, normal, texture coordinates (8 floats a vertex) ----------------------------------------------


def torus(ring: float, tube: float, around: int = 40, across: int = 18) -> Mesh:
    u, v = np.meshgrid(np.arange(around + 1) / around, np.arange(across + 1) / across, indexing="ij")
    a, b = 2 * math.pi * u, 2 * math.pi * v
    normal = np.stack([np.cos(a) * np.cos(b), np.sin(b), np.sin(a) * np.cos(b)], -1)
    centre = np.stack([np.cos(a), np.zeros_like(a), np.sin(a)], -1) * ring
    return pack(centre + normal * tube, normal, np.stack([u * 6, v * 2], -1)), grid_indices(around, across)


def ball(radius: float, around: int = 32, across: int = 18) -> Mesh:
    u, v = np.meshgrid(np.arange(around + 1) / around, np.arange(across + 1) / across, indexing="ij")
    a, b = 2 * math.pi * u, math.pi * (v - 0.5)
    normal = np.stack([np.cos(a) * np.cos(b), np.sin(b), np.sin(a) * np.cos(b)], -1)
    return pack(normal * radius, normal, np.stack([u, v], -1)), grid_indices(around, across)


def knot(radius: float, tube: float, around: int = 144, across: int = 12, turns: tuple[int, int] = (2, 3)) -> Mesh:
    """A torus knot: its middle line winds `turns` times around the axis and through the hole."""
    u, v = np.meshgrid(np.arange(around + 1) / around, np.arange(across + 1) / across, indexing="ij")
    a, b = 2 * math.pi * u, 2 * math.pi * v
    wide = 2 + np.cos(turns[1] * a)
    middle = np.stack([wide * np.cos(turns[0] * a), wide * np.sin(turns[0] * a), np.sin(turns[1] * a)], -1) / 3
    along = np.gradient(middle[:-1, 0], axis=0, edge_order=2)
    along[[0, -1]] = middle[1, 0] - middle[-2, 0], middle[0, 0] - middle[-3, 0]
    along = unit_rows(np.concatenate([along, along[:1]]))
    out = unit_rows(np.cross(along, np.cross(middle[:, 0], along)))
    side = np.cross(along, out)
    normal = np.cos(b)[..., None] * out[:, None] + np.sin(b)[..., None] * side[:, None]
    return pack(middle * radius + normal * tube, normal, np.stack([u * 16, v * 2], -1)), grid_indices(around, across)


def turned(profile: np.ndarray, around: int = 24) -> Mesh:
    """A profile, (radius, height) from the bottom to the top, turned around the y axis."""
    radius, height = np.asarray(profile, float).T
    along = np.gradient(np.asarray(profile, float), axis=0)
    a = 2 * math.pi * np.arange(around + 1)[:, None] / around
    position = np.stack([np.cos(a) * radius, np.broadcast_to(height, (around + 1, len(height))), np.sin(a) * radius], -1)
    rise = np.broadcast_to(-along[:, 0], position.shape[:2])
    normal = unit_rows(np.stack([np.cos(a) * along[:, 1], rise, np.sin(a) * along[:, 1]], -1))
    u, v = np.meshgrid(np.arange(around + 1) / around, np.linspace(1, 0, len(height)), indexing="ij")
    return pack(position, normal, np.stack([u * 2, v], -1)), grid_indices(around, len(height) - 1)


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """Vectors along the last axis, each of length 1."""
    return vectors / np.sqrt((vectors * vectors).sum(-1, keepdims=True))


def grid(size: float, cells: int, repeat: float) -> Mesh:
    """A square on the floor, facing up, centred on the origin."""
    u, v = np.meshgrid(np.arange(cells + 1) / cells, np.arange(cells + 1) / cells, indexing="ij")
    position = np.stack([(u - 0.5) * size, np.zeros_like(u), (v - 0.5) * size], -1)
    normal = np.broadcast_to([0.0, 1.0, 0.0], position.shape)
    return pack(position, normal, np.stack([u, v], -1) * repeat), grid_indices(cells, cells)


def cube(size: float) -> Mesh:
    """Six faces of four vertices."""
    vertices, indices = [], []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal, right = np.zeros(3), np.zeros(3)
            normal[axis], right[(axis + 1) % 3] = sign, 1.0
            up = np.cross(right, normal)
            corners = [normal - right + up, normal + right + up, normal + right - up, normal - right - up]
            base = len(vertices) * 4
            uv = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
            vertices.append(pack(np.array(corners) * size / 2, np.broadcast_to(normal, (4, 3)), uv))
            indices += [[base, base + 1, base + 2], [base, base + 2, base + 3]]
    return np.concatenate(vertices), np.array(indices, np.uint16)


def pack(position: np.ndarray, normal: np.ndarray, uv: np.ndarray) -> np.ndarray:
    return np.concatenate([position, normal, uv], -1).reshape(-1, 8).astype(np.float32)


def grid_indices(columns: int, rows: int) -> np.ndarray:
    """Two triangles a cell of a (columns + 1) x (rows + 1) grid, clockwise seen from the normal's side."""
    i, j = (x.ravel() for x in np.meshgrid(np.arange(columns), np.arange(rows), indexing="ij"))
    a, b = i * (rows + 1) + j, (i + 1) * (rows + 1) + j
    return np.concatenate([np.stack([a, a + 1, b], -1), np.stack([b, a + 1, b + 1], -1)]).astype(np.uint16)


# ---- textures: uint32 A8R8G8B8 or uint8 ------------------------------------------------------------------------------


def argb(alpha: np.ndarray, red: np.ndarray, green: np.ndarray, blue: np.ndarray) -> np.ndarray:
    """Channels 0..1 -> uint32 A8R8G8B8 of the same shape."""
    packed = np.zeros(np.broadcast_shapes(*(np.shape(c) for c in (alpha, red, green, blue))), np.uint32)
    for shift, channel in zip((24, 16, 8, 0), (alpha, red, green, blue), strict=True):
        packed |= np.uint32(np.clip(np.asarray(channel) * 255 + 0.5, 0, 255)) << np.uint32(shift)
    return packed


def half_size(image: np.ndarray) -> np.ndarray:
    """The next mip level: the mean of 2x2 texels of a uint32 A8R8G8B8 image."""
    channels = image.view(np.uint8).reshape(*image.shape, 4).astype(np.uint32)
    blocks = channels.reshape(image.shape[0] // 2, 2, image.shape[1] // 2, 2, 4)
    return ((blocks.sum((1, 3)) + 2) // 4).astype(np.uint8).view(np.uint32)[..., 0]


def noise(shape: tuple[int, ...], octaves: int = 4, seed: int = 8) -> np.ndarray:
    """Smooth periodic noise in 0..1, any number of dimensions."""
    random, total = np.random.default_rng(seed), np.zeros(shape)
    for octave in range(octaves):
        cells = random.random([2 ** (octave + 2)] * len(shape))
        for axis, length in enumerate(shape):
            cells = stretch(cells, axis, length)
        total += cells / 2**octave
    return (total - total.min()) / np.ptp(total)


def stretch(values: np.ndarray, axis: int, length: int) -> np.ndarray:
    """Cosine interpolation of periodic `values` to `length` samples along `axis`."""
    at = np.arange(length) * values.shape[axis] / length
    index = at.astype(int)
    shape = [1] * values.ndim
    shape[axis] = length
    weight = (0.5 - 0.5 * np.cos((at - index) * math.pi)).reshape(shape)
    following = (index + 1) % values.shape[axis]
    return values.take(index, axis) * (1 - weight) + values.take(following, axis) * weight


def tiles(size: int = 128) -> np.ndarray:
    """Stone tiles with dark joints."""
    y, x = np.mgrid[:size, :size] / size
    joint = np.maximum(np.abs((x * 2) % 1 - 0.5), np.abs((y * 2) % 1 - 0.5)) > 0.47
    shade = 0.55 + 0.35 * noise((size, size), 5, 3) - 0.12 * (((x * 2).astype(int) + (y * 2).astype(int)) % 2)
    shade = np.where(joint, 0.18, shade)
    return argb(np.ones_like(shade), shade * 0.95, shade * 0.9, shade * 0.82)


def light_map(size: int = 64) -> np.ndarray:
    """Two warm pools of light on the floor and darkness towards the walls."""
    y, x = np.mgrid[:size, :size] / size - 0.5
    pool = np.exp(-18 * ((x + 0.12) ** 2 + (y - 0.05) ** 2)) + 0.7 * np.exp(-30 * ((x - 0.22) ** 2 + (y + 0.15) ** 2))
    return argb(np.ones_like(pool), 0.16 + pool * 1.0, 0.17 + pool * 0.85, 0.26 + pool * 0.6)


def spark(size: int = 32) -> np.ndarray:
    """A soft round particle, alpha falling to 0 at the edge."""
    y, x = (np.mgrid[:size, :size] + 0.5) / size * 2 - 1
    glow = np.clip(1 - np.hypot(x, y), 0, 1) ** 1.5
    return argb(glow, np.ones_like(glow), 0.75 + 0.25 * glow, 0.35 + 0.65 * glow)


def metal(size: int = 64) -> np.ndarray:
    """Brushed copper stripes."""
    stripe = 0.6 + 0.4 * noise((size, size), 3, 5) * (0.7 + 0.3 * np.sin(np.arange(size) / size * 8 * math.pi))
    return argb(np.ones_like(stripe), stripe, stripe * 0.66, stripe * 0.42)


def marble(size: int = 32) -> np.ndarray:
    """A volume: veins through a cube of `size` texels on a side, uint32 (depth, height, width)."""
    z, _, x = np.mgrid[:size, :size, :size] / size
    vein = np.abs(np.sin((x + z) * 2 * math.pi + 5 * noise((size, size, size), 3, 11)))
    return argb(np.ones_like(vein), 0.25 + 0.7 * vein, 0.45 + 0.5 * vein, 0.62 + 0.35 * vein)
