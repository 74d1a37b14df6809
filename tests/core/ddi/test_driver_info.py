"""GetDriverInfo, byte by byte (DX8 DDI, "Supporting GetDriverInfo2"), and the legacy lists."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.spec.caps import CAPS8_BYTES
from core.spec.enums import FormatOp, HalInfoFlag, HResult
from core.spec.formats import FORMAT_BY_NAME
from core.spec.pixel_formats import (
    for_creation,
    format_of,
    new_style,
    old_style,
    samples_of,
    seen_by_dx7,
    seen_by_dx8,
    unpack,
)
from core.spec.profiles import PROFILES

MAGIC, CAPS, COUNT, FORMAT, HEADER = 0xFFFFFFFF, 1, 2, 3, 16


def ask(request: bytes, profile: str = "full") -> DdiCall:
    return EmulatedDriver(profile).call(DdiCall("GetDriverInfo", {"guid": "GetDriverInfo2"}, {"request": request}))


def header(kind: int, expected: int, magic: int = MAGIC) -> bytes:
    return struct.pack("<4I", 0x1234, magic, kind, expected)


def test_caps_overwrite_the_request() -> None:
    call = ask(header(CAPS, CAPS8_BYTES) + bytes(CAPS8_BYTES))
    assert (call.result, call.out["handled"], call.out["actual_size"]) == (0, 1, CAPS8_BYTES)
    reply = np.frombuffer(call.data["reply"], "<u4")
    assert reply[:2].tolist() == [0, 0]  # DeviceType, AdapterOrdinal: the runtime's
    assert len(call.data["reply"]) == HEADER + CAPS8_BYTES  # what was behind stays
    assert reply[7] == PROFILES["full"].dwords["DevCaps"]


@pytest.mark.parametrize("expected", [0, 8, 100, CAPS8_BYTES, 1000])
def test_no_more_is_copied_than_expected(expected: int) -> None:
    request = header(CAPS, expected) + b"\xaa" * 300
    call = ask(request)
    copied = min(expected, CAPS8_BYTES)
    assert call.out["actual_size"] == copied
    assert call.data["reply"][copied:] == request[copied:]


def test_formats_stand_behind_their_header() -> None:
    head = header(COUNT, HEADER + 8)
    call = ask(head + bytes(8))
    assert call.data["reply"][:HEADER] == head
    count = struct.unpack_from("<I", call.data["reply"], HEADER)[0]
    assert count == call.out["count"] == len(PROFILES["full"].rows)
    head = header(FORMAT, HEADER + 36)
    call = ask(head + struct.pack("<I", 1) + bytes(32))
    assert call.data["reply"][: HEADER + 4] == head + struct.pack("<I", 1)
    found = unpack(call.data["reply"], HEADER + 4)
    assert (found.size, found.flags, found.fourcc) == (32, 0x200000, PROFILES["full"].rows[1].id)
    assert found.operations & FormatOp.TEXTURE


def test_an_index_beyond_the_last_is_refused() -> None:
    call = ask(header(FORMAT, HEADER + 36) + struct.pack("<I", 999) + bytes(32))
    assert call.result == HResult.DDERR_INVALIDPARAMS


@pytest.mark.parametrize("kind", [0, 5, 16, 17, 99])
def test_unknown_types_are_handled_but_not_available(kind: int) -> None:
    request = header(kind, 100) + bytes(100)
    call = ask(request)
    assert (call.result, call.out["handled"], call.data["reply"]) == (HResult.DDERR_CURRENTLYNOTAVAIL, 1, request)


def test_without_the_magic_it_is_a_stereo_mode() -> None:
    request = struct.pack("<6I", 24, 480, 640, 16, 60, 1)
    call = ask(request)
    assert (call.result, call.out["actual_size"], call.out["supported"]) == (0, 24, 0)
    assert call.data["reply"] == request[:20] + bytes(4)
    assert ask(b"\0" * 8).result == HResult.DDERR_INVALIDPARAMS


def test_a_driver_of_directx_7_is_not_asked() -> None:
    driver = EmulatedDriver("dx7")
    flags = driver.call(DdiCall("GetHalInfo")).out["flags"]
    assert not flags & HalInfoFlag.GETDRIVERINFO2
    assert EmulatedDriver().call(DdiCall("GetHalInfo")).out["flags"] & HalInfoFlag.GETDRIVERINFO2
    call = ask(header(CAPS, CAPS8_BYTES), "dx7")
    assert (call.result, call.out["handled"]) == (HResult.DDERR_CURRENTLYNOTAVAIL, 0)


def test_legacy_lists() -> None:
    driver = EmulatedDriver()
    hal = driver.call(DdiCall("GetHalInfo"))
    textures = [unpack(hal.data["texture_formats"], at) for at in range(0, len(hal.data["texture_formats"]), 32)]
    assert len(textures) == hal.out["texture_formats"] and not any(one.is_new_style for one in textures)
    depths = driver.call(DdiCall("GetDriverInfo", {"guid": "ZPixelFormats"}))
    assert struct.unpack_from("<I", depths.data["reply"])[0] == depths.out["count"] == 6
    assert {format_of(unpack(depths.data["reply"], 4 + 32 * n)).stencil_bits for n in range(6)} == {0, 1, 4, 8}


@pytest.mark.parametrize(
    ("name", "flags", "bits", "masks"),
    [  # ddraw.h: flags and masks of DirectX 7 formats
        ("R5G6B5", 0x40, 16, (0xF800, 0x7E0, 0x1F, 0)),
        ("A1R5G5B5", 0x41, 16, (0x7C00, 0x3E0, 0x1F, 0x8000)),
        ("L8", 0x20000, 8, (0xFF, 0, 0, 0)),
        ("P8", 0x60, 8, (0, 0, 0, 0)),
        ("V8U8", 0x80000, 16, (0xFF, 0xFF00, 0, 0)),
        ("L6V5U5", 0xC0000, 16, (0x1F, 0x3E0, 0xFC00, 0)),
        ("D24S8", 0x4400, 32, (8, 0xFFFFFF00, 0xFF, 0)),
    ],
)  # fmt: skip
def test_old_style(name: str, flags: int, bits: int, masks: tuple[int, ...]) -> None:
    row = FORMAT_BY_NAME[name]
    found = old_style(row)
    assert found is not None and (found.flags, found.bits, found[4:]) == (flags, bits, masks)
    assert format_of(found) is row


def test_three_formats_are_created_by_fourcc() -> None:
    by_fourcc = [name for name, row in FORMAT_BY_NAME.items() if for_creation(row).flags == 4 and not row.fourcc]
    assert by_fourcc == ["Q8W8V8U8", "V16U16", "W11V11U10"]
    assert for_creation(FORMAT_BY_NAME["Q8W8V8U8"]).bits == 0


def test_runtimes_filter_the_list() -> None:
    row = FORMAT_BY_NAME["R5G6B5"]
    old: Any = old_style(row)
    new = new_style(row, 1)
    assert seen_by_dx8([old, new]) == [new] and seen_by_dx7([old, new]) == [old]
    assert seen_by_dx8([old]) == [old] and seen_by_dx7([new]) == []


def test_sample_masks_are_those_of_the_documents_example() -> None:
    flip, blt = 1 << 4 - 1 | 1 << 2 - 1, 1 << 4 - 1
    one = new_style(FORMAT_BY_NAME["X8R8G8B8"], 0xC00, flip, blt)
    assert (samples_of(one.flip_samples), samples_of(one.blt_samples)) == ([2, 4], [4])
