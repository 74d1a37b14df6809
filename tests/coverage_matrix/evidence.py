"""Which test covers what, found by machine.

A name of the specifications is covered by scenes that declare it, by the pair of tests of a rule whose row mentions it, by
tests whose text names it (a string, a member of an enumeration, a keyword), and by the comparison of numbers and layouts
with the compiler's headers.  A name in a table of a test file counts for the file.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from core.spec import caps, enums
from core.spec.calls import CALLS
from core.spec.caps import CAPS8
from core.spec.findings import RULES
from core.spec.formats import FORMAT_BY_NAME
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID
from core.spec.structs import STRUCTS
from core.spec.tokens import RECT_PATCH_INFO, TOKENS, TRI_PATCH_INFO, Op, Token
from tests.conftest import ROOT
from tests.core.ddi.rule_pairs import PAIRS
from tests.core.spec.test_headers import API_ENUMS, CAPS_ENUMS, DDK_ENUMS, header_name
from tests.coverage_matrix.extract import NAME
from tests.coverage_matrix.mutation import every_state, killed
from tests.scenes import all_scenes

SCENE, RULE, TEST, HEADER = range(4)
"""Kinds of tests, the most telling first: behaviour seen, a rule broken and kept, a test that names it, numbers and layout."""
PREFIXES = {
    **API_ENUMS, **DDK_ENUMS, **CAPS_ENUMS, "FormatOp": "D3DFORMAT_OP_", "PatchFlag": "RTPATCHFLAG_",
    "DxgiFormat": "DXGI_FORMAT_",
    "DxgiRotation": "DXGI_DDI_MODE_ROTATION_", "HResult": "",
}  # fmt: skip
HEADERS = "tests/core/spec/test_headers.py::"
LAYOUTS = "tests/core/spec/test_structs.py::"


class Evidence(NamedTuple):
    """A test; `kind` says how telling it is."""

    kind: int
    test: str


Found = dict[str, set[Evidence]]


@cache
def member_names() -> dict[str, str]:
    """Of every enumeration with a header's prefix: "DdBlt.PRESENTATION" -> "DDBLT_PRESENTATION"."""
    modules = [enums, caps]
    classes = {cls: getattr(module, cls) for cls in PREFIXES for module in modules if hasattr(module, cls)}
    return {f"{cls}.{name}": header_name(PREFIXES[cls], name) for cls, row in classes.items() for name in row.__members__}


def token_names(row: Token) -> Iterator[str]:
    """What a token's test covers: its number, its structure, the members."""
    yield f"D3DDP2OP_{row.name}"
    if row.struct:
        yield row.struct
        yield row.struct.replace("D3DHAL_DP2DRAW", "D3DHAL_DRAW")
    element = row.items.element if row.items else ()
    for field in (*row.fields, *element):
        if field.header:
            yield f"{row.struct}.{field.header}"
            yield field.header
    for part in row.parts:
        if part.name == "info":
            yield "D3DRECTPATCH_INFO" if part.element is RECT_PATCH_INFO else "D3DTRIPATCH_INFO"
            yield from ("RTPATCHFLAG_HASINFO", "RTPATCHFLAG_HASSEGS")


assert TRI_PATCH_INFO


def cover_names(cover: str) -> Iterator[str]:
    """The names behind a scene's "kind:name"."""
    kind, _, name = cover.partition(":")
    if kind == "token":
        yield from token_names(TOKENS[Op[name]])
    elif kind == "state":
        yield from (f"D3DRS_{name}", f"D3DRENDERSTATE_{name}")
    elif kind == "stage_state":
        yield f"D3DTSS_{name}"
    elif kind.startswith("stored"):
        return
    elif kind == "format":
        yield f"D3DFMT_{name}"
    elif kind == "entry":
        yield from (name, CALLS[name].header)
    elif kind == "value":
        yield member_names().get(name, name)
    else:
        yield name


def scene_test(name: str) -> str:
    return f"tests/scenes/test_scenes.py::test_scene[{name}]"


def of_scenes() -> Iterator[tuple[str, Evidence]]:
    """What scenes declare; of states, a scene that fails when the state is ignored."""
    for scene in all_scenes():
        for cover in scene.covers:
            if cover not in every_state():
                yield from ((name, Evidence(SCENE, scene_test(scene.name))) for name in cover_names(cover))
    for key, scene in killed().items():
        yield from ((name, Evidence(SCENE, scene_test(scene))) for name in cover_names(key))


@cache
def state_names() -> dict[str, str]:
    """ "D3DTSS_COLOROP" -> "stage_state:COLOROP"."""
    return {name: key for key in every_state() for name in cover_names(key)}


def of_rules() -> Iterator[tuple[str, Evidence]]:
    for rule in PAIRS:
        row = RULES[rule]
        test = Evidence(RULE, f"tests/core/ddi/test_rules.py::test_a_rule_is_broken_and_kept[{rule}]")
        for name in (rule, *NAME.findall(f"{row.where} {row.section} {row.sentence}")):
            yield name, test


def of_headers() -> Iterator[tuple[str, Evidence]]:
    """Numbers and layouts that are compiled and compared."""
    for table, test in ((API_ENUMS, "api_enumerations"), (DDK_ENUMS, "ddk_enumerations"), (CAPS_ENUMS, "capability_bits")):
        for name, header in member_names().items():
            if name.partition(".")[0] in table:
                yield header, Evidence(HEADER, f"{HEADERS}test_{test}")
    for row in TOKENS.values():
        yield f"D3DDP2OP_{row.name}", Evidence(HEADER, f"{HEADERS}test_token_numbers")
    for cap in CAPS8:
        yield f"D3DCAPS8.{cap.name}", Evidence(HEADER, f"{HEADERS}test_caps8_layout")
    for struct in STRUCTS.values():
        for name in (struct.name, *(member.name for member in struct.members)):
            yield name, Evidence(HEADER, f"{LAYOUTS}test_ddk_structures")
            yield f"{struct.name}.{name}", Evidence(HEADER, f"{LAYOUTS}test_ddk_structures")


# ---- names in the text of tests ---------------------------------------------------------------------------------------


@cache
def words() -> dict[str, tuple[str, ...]]:
    """What a word in a test's text stands for."""
    table: dict[str, tuple[str, ...]] = {name: (header,) for name, header in member_names().items()}
    for row in TOKENS.values():
        table[row.name] = table[f"Op.{row.name}"] = tuple(token_names(row))
    for name in RENDER_STATE_ID:
        table[name] = (*table.get(name, ()), f"D3DRS_{name}", f"D3DRENDERSTATE_{name}")
    for name in TEXTURE_STAGE_STATE_ID:
        table[name] = (*table.get(name, ()), f"D3DTSS_{name}")
    for name in FORMAT_BY_NAME:
        table[name] = (*table.get(name, ()), f"D3DFMT_{name}")
    for name, call in CALLS.items():
        table[name] = (*table.get(name, ()), name, call.header)
    for cap in CAPS8:
        table[cap.name] = (*table.get(cap.name, ()), f"D3DCAPS8.{cap.name}", cap.name)
    return table


def meanings(word: str) -> tuple[str, ...]:
    if word in words():
        return words()[word]
    return (word,) if NAME.fullmatch(word) else ()


def spoken(tree: ast.AST) -> Iterator[str]:
    """Words in the text: strings, members, keywords."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 4000:
            yield from re.findall(r"\w+", node.value)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg


def of_pairs(path: Path = ROOT / "tests" / "core" / "ddi" / "rule_pairs.py") -> Iterator[tuple[str, Evidence]]:
    """What the two halves of a rule's pair name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "pair":
            rule = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
            if rule in PAIRS:
                test = Evidence(RULE, f"tests/core/ddi/test_rules.py::test_a_rule_is_broken_and_kept[{rule}]")
                for word in spoken(node):
                    yield from ((name, test) for name in meanings(word))


def of_texts(folder: Path = ROOT / "tests") -> Iterator[tuple[str, Evidence]]:
    skipped = ("scenes", "coverage_matrix", "ui", "bench", "docs", "resources")
    for path in sorted(folder.rglob("test_*.py")):
        if path.relative_to(folder).parts[0] in skipped or path.name in ("test_headers.py", "test_structs.py"):
            continue
        place = path.relative_to(ROOT).as_posix()
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            named = isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
            test = Evidence(TEST, f"{place}::{node.name}" if named else place)  # type: ignore[attr-defined]
            for word in spoken(node):
                yield from ((name, test) for name in meanings(word))


@cache
def gather() -> Found:
    """Every covered name with its tests."""
    found: Found = defaultdict(set)
    for source in (of_scenes(), of_rules(), of_pairs(), of_headers(), of_texts()):
        for name, test in source:
            found[name].add(test)
    return dict(found)


def best(found: set[Evidence], most: int = 2) -> list[str]:
    """The most telling tests."""
    return [one.test for one in sorted(found)[:most]]
