"""Layouts of the structures, compiled."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.spec import structs
from core.spec.structs import STRUCTS, M, Struct
from tests.core.spec.headers import API, DDK, wrong_facts


def facts(row: Struct) -> dict[str, int]:
    """sizeof and offsetof of every member the header names the same way."""
    found = {f"sizeof({row.name})": row.size}
    for member in row.members:
        found[f"offsetof({row.name}, {member.name})"] = row.offsets[member.name]
    return found


def all_facts(source: str) -> dict[str, int]:
    return {key: value for row in STRUCTS.values() if row.source == source for key, value in facts(row).items()}


def test_api_structures(tmp_path: Path) -> None:
    found = all_facts(structs.API)
    assert len(found) > 180
    assert wrong_facts(tmp_path, API, found) == []


def test_ddk_structures(tmp_path: Path) -> None:
    found = all_facts(structs.DDK)
    assert len(found) > 350
    assert wrong_facts(tmp_path, DDK, found) == []


def test_undocumented_headers_have_the_documented_sizes() -> None:
    """Structures no open header declares: the totals their documents or declarations give."""
    sizes = {
        "DXGI_DDI_ARG_PRESENT": 32,
        "DXGI_DDI_ARG_BLT": 44,
        "DXGI_DDI_BASE_FUNCTIONS": 28,
        "DXGI_DDI_PRIMARY_DESC": 44,
        "DD_SURFACE_GLOBAL": 76,
        "DD_SURFACE_LOCAL": 60,
        "DD_SURFACE_MORE": 28,
        "DD_LOCKDATA": 48,
        "DD_BLTDATA": 212,
        "DD_FLIPDATA": 32,
    }
    assert {name: STRUCTS[name].size for name in sizes} == sizes


def test_records_read_memory() -> None:
    data = bytes(range(32))
    record = np.frombuffer(data, STRUCTS["DDPIXELFORMAT"].dtype)[0]
    assert record["dwFourCC"] == 0x0B0A0908
    assert record["dwRGBBitCount"] == record["dwPrivateFormatBitCount"] == 0x0F0E0D0C
    assert record["MultiSampleCaps"]["wBltMSTypes"] == 0x1716


def test_unions_overlap() -> None:
    row = Struct("pair", "", (M("a", structs.U32), M("b", structs.U16, union=True), M("c", structs.U16)))
    assert (row.offsets, row.size) == ({"a": 0, "b": 0, "c": 4}, 8)
