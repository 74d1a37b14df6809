"""Who uses which object: against a device that draws random programs, asked at every draw what it has bound."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.errors import BadInput
from core.spec import slots
from inspector.timeline.lives import Role
from tests.inspector.following import steps
from tests.inspector.programs import PROGRAM, Step, capture_of, played

FEW = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
READING = {Role.TEXTURE, Role.STREAM, Role.INDICES, Role.TARGET, Role.SHADER}


def bound(driver: EmulatedDriver, indexed: bool) -> tuple[set[tuple[Role, int, int]], dict[int, int]]:
    """(role, detail, handle) of what a draw works with, and the versions of the textures it samples."""
    device, vector = driver.device, driver.device.registers.vector
    shader = device.context.pixel_shaders.get(int(vector[slots.PIXEL_SHADER]))
    used = driver.executor.lane.drawing.bound.used_stages(shader)
    found, versions = set(), {}
    for stage in range(8):
        handle = int(vector[slots.TEXTURE_STAGE + 32 * stage])
        if used >> stage & 1 and handle in device.memory.surfaces:
            found.add((Role.TEXTURE, stage, handle))
            versions[handle] = device.memory.surfaces[handle].version
    layout = driver.executor.lane.drawing.layout(0, 0)
    for stream in layout.streams if layout else ():
        handle = int(vector[slots.STREAM + 3 * stream])
        found |= {(Role.STREAM, stream, handle)} if handle in device.memory.buffers else set()
    if indexed:
        found.add((Role.INDICES, 0, int(vector[slots.INDICES])))
    if shader is not None:
        found.add((Role.SHADER, 0, int(vector[slots.PIXEL_SHADER])))
    return found | {(Role.TARGET, 0, device.registers.render_target)}, versions


@FEW
@given(PROGRAM)
def test_resources_of_every_draw_are_what_the_device_has_bound(program: list[Step]) -> None:
    with capture_of(program) as capture:
        driver, contents = EmulatedDriver(), defaultdict(set)
        for event in steps(capture, driver):
            if not capture.events.draw[event]:
                continue
            expected, versions = bound(driver, capture.name(event) == "DRAWINDEXEDPRIMITIVE")
            uses = capture.ask(inspector.ResourcesOf(event))
            found = {(use.role, use.detail, use.life.handle) for use in uses if use.role in READING}
            roots = {use.life.handle: handle for use in uses for handle in [driver.device.registers.render_target]
                     if use.role == Role.TARGET and use.life.handle != handle}  # fmt: skip
            assert not roots  # plain targets are their own first part
            assert found == expected
            for use in uses:
                if use.role == Role.TEXTURE:
                    contents[use.life.handle, use.life.first].add((use.version, versions[use.life.handle]))
        for pairs in contents.values():  # the same version here, the same version on the device
            assert len({ours for ours, _ in pairs}) == len({theirs for _, theirs in pairs}) == len(pairs)


@FEW
@given(PROGRAM)
def test_users_and_histories_are_the_same_relation_from_the_other_side(program: list[Step]) -> None:
    with capture_of(program) as capture:
        by_object = defaultdict(set)
        for event in range(len(capture.events)):
            for use in capture.ask(inspector.ResourcesOf(event)):
                by_object[use.life.space, use.life.handle].add((event, use.role, use.detail))
        assert len(by_object) > 8
        for (space, handle), expected in by_object.items():
            log = capture.ask(inspector.ObjectHistory(handle if space == "memory" else (space, handle)))
            rows = set(zip(log.event.tolist(), log.role.tolist(), log.detail.tolist(), strict=True))
            assert rows == expected
            assert np.all(np.diff(log.event) >= 0)


@FEW
@given(PROGRAM)
def test_created_and_destroyed_are_what_the_driver_has(program: list[Step]) -> None:
    with capture_of(program) as capture:
        driver = EmulatedDriver(draws=False)
        lives = [life for life in capture.resources.lives.all if life.space == "memory"]
        for event in steps(capture, driver):
            memory = driver.device.memory
            alive = {life.handle for life in lives if life.first <= event < life.last}
            assert alive == memory.surfaces.keys() | memory.buffers.keys()


def test_history_of_a_texture(tmp_path: Path) -> None:
    story: list[Step] = [("texture", (0, 1)), ("draw", ()), ("upload", (0,)), ("draw", ()), ("again", (0,)), ("present", ())]
    with played(tmp_path / "a.ddicap", story) as capture:
        draws = capture.draws.tolist()
        texture = capture.state(draws[0])[("TEXTURESTAGE", 0, "TEXTUREMAP")].value
        log = capture.ask(inspector.ObjectHistory(texture, draws[0]))
        told = [log.text(row) for row in range(len(log))]
        assert told[0] == "created" and told[-1] == "destroyed"
        assert told.count("texture, stage 0") == 2
        first, second = log.version[np.isin(log.event, draws)].tolist()
        assert second > first
        assert capture.ask(inspector.UsersOf(texture, draws[0])).draws.tolist() == draws
        gone = int(log.event[-1])
        with pytest.raises(BadInput, match=f"no surface or buffer {texture} at event {gone + 1}"):
            capture.ask(inspector.ObjectHistory(texture, gone + 1))


def test_lights_are_used_where_they_light(room: inspector.Capture) -> None:
    users = room.ask(inspector.UsersOf(("light", 1)))
    assert 0 < len(users.draws) < len(room.draws)
    for event in users.draws.tolist():
        state = room.state(event)
        assert state["LIGHTING"].value and state[("LIGHT", 1, "Enabled")].value


def test_what_is_no_object_is_told(room: inspector.Capture) -> None:
    for thing, message in (
        (9999, "no surface or buffer 9999"),
        (("light", 77), "no light 77"),
        (("lunch", 1), "unknown kind of object"),
    ):
        with pytest.raises(BadInput, match=message):
            room.ask(inspector.ObjectHistory(thing))
