"""The matrix: what the specifications and the rule book have, with the tests of each, and what has none."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from core.spec.calls import CALLS
from core.spec.findings import RULES
from core.spec.formats import FORMATS
from core.spec.states import RENDER_STATES, TEXTURE_STAGE_STATES
from core.spec.tokens import TOKENS
from tests.conftest import ROOT
from tests.coverage_matrix.evidence import HEADER, TEST, Evidence, gather, scene_test, state_names
from tests.coverage_matrix.extract import INDEX
from tests.coverage_matrix.mutation import killed
from tests.coverage_matrix.reasons import NAMES, SENTENCES, STORED
from tests.scenes import all_scenes

SENTENCE_TABLE = Path(__file__).with_name("sentences.tsv")
KINDS = (
    ("Tokens", r"D3DDP2OP_"), ("States", r"D3D(RENDERSTATE|RS|TSS)_"), ("Formats", r"(D3DFMT|DXGI_FORMAT)_"),
    ("Structures", r"(D3DHAL_|DD_[A-NP-Z]|DDHAL_[A-Z]+DATA|DDRAWI_|DXGI_DDI_[AB]|D3D(RECT|TRI)PATCH_INFO|D3D1[01]DDIARG_)"),
    ("Entry points and callbacks", r"(pfn|D3d|Dd)[A-Z]"), ("Flags and values", r"[A-Z][A-Z0-9]+_"),
    ("Members and arguments", r""),
)  # fmt: skip


class Row(NamedTuple):
    """One thing, the tests of its behaviour, those of its numbers and layout, why it has none."""

    name: str
    where: str
    behaviour: tuple[str, ...]
    numbers: tuple[str, ...]
    reason: str

    @property
    def covered(self) -> bool:
        return bool(self.behaviour or self.numbers or self.reason)


@cache
def documents() -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads(INDEX.read_text(encoding="utf-8"))
    return loaded


def row(name: str, where: str, key: str = "", most: int = 2) -> Row:
    """The row of a name, with its most telling tests."""
    if name in state_names():
        return state_row(state_names()[name])._replace(name=name, where=where)
    found: set[Evidence] = gather().get(key or name, set())
    telling = tuple(one.test for one in sorted(found) if one.kind < TEST)[:most]
    behaviour = telling or tuple(one.test for one in sorted(found) if one.kind == TEST)[:1]
    numbers = tuple(one.test for one in sorted(found) if one.kind == HEADER)[:1]
    return Row(name, where, behaviour, numbers, "" if behaviour or numbers else NAMES.get(name, ""))


def state_row(key: str) -> Row:
    """A state: the scene that fails when it is ignored, or why it is only stored."""
    scene = killed().get(key)
    reason = "" if scene else f"stored only: {STORED[key]}" if key in STORED else ""
    return Row(key.partition(":")[2], "", (scene_test(scene),) if scene else (), (), reason)


def named() -> dict[str, list[Row]]:
    """Everything the specifications name, by kind."""
    places: dict[str, list[str]] = {}
    for document in documents():
        for section in document["sections"]:
            for name in section["names"]:
                if document["name"] not in places.setdefault(name, []):
                    places[name].append(document["name"])
    table: dict[str, list[Row]] = {kind: [] for kind, _ in KINDS}
    for name, where in sorted(places.items()):
        kind = next(kind for kind, pattern in KINDS if re.match(pattern, name))
        table[kind].append(row(name, ", ".join(where)))
    return table


def members() -> list[Row]:
    """The members of the structures that the specifications declare."""
    return [
        row(f"{struct}.{member}", document["name"], most=1)
        for document in documents()
        for struct, names in document["structures"].items()
        for member in names
    ]


def book() -> dict[str, list[Row]]:
    """Every row of the rule book with its scenes."""
    scenes: dict[str, list[str]] = {}
    for scene in all_scenes():
        for cover in scene.covers:
            scenes.setdefault(cover, []).append(scene_test(scene.name))

    def rows(kind: str, names: Iterator[str] | list[str]) -> list[Row]:
        return [Row(name, "", tuple(scenes.get(f"{kind}:{name}", ())[:2]), (), "") for name in names]

    return {
        "Tokens": rows("token", [one.name for one in TOKENS.values()]),
        "Entry points": rows("entry", list(CALLS)),
        "Render states": [state_row(f"state:{one.name}") for one in RENDER_STATES.values()],
        "Texture stage states": [state_row(f"stage_state:{one.name}") for one in TEXTURE_STAGE_STATES.values()],
        "Formats": rows("format", [one.name for one in FORMATS.values()]),
    }


def rules() -> list[Row]:
    """The rule catalogue."""
    return [row(rule, RULES[rule].section, most=3) for rule in RULES]


# ---- sentences that say what must be ------------------------------------------------------------------------------------


class Sentence(NamedTuple):
    """A sentence by its first words, and what covers it: a test, or a reason."""

    digest: str
    section: str
    begins: str
    test: str
    reason: str


@cache
def declared() -> dict[str, str]:
    """Digest -> "scene NAME" | "rule ID" | "test PATH::NAME" | "reason KEY"."""
    lines = SENTENCE_TABLE.read_text(encoding="utf-8").splitlines()
    return {digest: cover for digest, cover, _ in (line.split("\t") for line in lines)}


def sentences() -> list[Sentence]:
    found, seen = [], set()
    for document in documents():
        for section in document["sections"]:
            for must in section["musts"]:
                if must["digest"] not in seen:
                    seen.add(must["digest"])
                    place = ", ".join(part for part in (document["name"], section["title"]) if part)
                    found.append(Sentence(must["digest"], place, must["begins"], *cover(must["digest"])))
    return found


def cover(digest: str) -> tuple[str, str]:
    """(test, reason) of a sentence; the test only if there is one of that name."""
    kind, _, name = declared().get(digest, "").partition(" ")
    if kind == "reason":
        return "", SENTENCES.get(name, "")
    test = {
        "scene": scene_test(name),
        "rule": f"tests/core/ddi/test_rules.py::test_a_rule_is_broken_and_kept[{name}]", "test": name,
    }.get(kind, "")  # fmt: skip
    return (test, "") if exists(test) else ("", "")


def exists(test: str) -> bool:
    """Whether a test is there: its file, its function, and its parameter where that is a scene or a rule."""
    path, _, function = test.partition("::")
    function, _, parameter = function.partition("[")
    known = {*(scene.name for scene in all_scenes()), *RULES, ""}
    return bool(function) and (ROOT / path).is_file() and function in functions(path) and parameter.rstrip("]") in known


@cache
def functions(path: str) -> frozenset[str]:
    body = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    return frozenset(node.name for node in body if isinstance(node, ast.FunctionDef))


def gaps() -> list[str]:
    """What has neither a test nor a reason."""
    groups = [*named().values(), members(), *book().values(), rules()]
    missing = [one.name for group in groups for one in group if not one.covered]
    return missing + [f"{one.section}: {one.begins}" for one in sentences() if not (one.test or one.reason)]
