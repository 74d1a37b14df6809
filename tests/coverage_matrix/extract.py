"""The index of the specifications, from their text: `python -m tests.coverage_matrix.extract FOLDER`."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

INDEX = Path(__file__).with_name("specifications.json")
DOCUMENTS = {  # how the rule catalogue calls them, by a phrase at their beginning
    "DX8 DDI": "specification of the DirectX display driver DDI", "Format list": "new mechanism for describing pixel formats",
    "DP2": "LPD3DHAL_DRAWPRIMITIVES2CB callback", "DXGI": "DXGI_DDI_BASE_FUNCTIONS structure",
    "Rect patch": "D3DHAL_DP2DRAWRECTPATCH structure",
}  # fmt: skip
MUST = re.compile(
    r"\b(must|should|shall|never|guaranteed?|guarantees|not permissible|required|always|essential|restricted"
    r"|requirements?|permitted|allowed|cannot|will not|legal|responsibility|only be|ignore|undefined|mandate|in turn"
    r"|may or may not|does not (?:need|stall|imply|validate|expect|require))\b"
)
NAME = re.compile(
    r"\b(?:[A-Z][A-Z0-9]+_[A-Za-z0-9_]*[A-Za-z0-9]|pfn[A-Z]\w+|D3d[A-Z]\w+|Dd[A-Z]\w+|(?:dw|lp|h|w|fp)[A-Z]\w+)\b"
)
CODE = re.compile(r"[;{}=\\]|//|\*")
MEMBER = re.compile(
    r"^\s*(?:DWORD|UINT|float|WORD|RECT|D3D\w+|DD\w+|[A-Z]\w+\s*\*?)\s+\*?([A-Za-z]\w+(?:\s*,\s*\w+)*)\s*;", re.MULTILINE
)
STRUCT = re.compile(r"typedef struct (\w+)?\s*\{(.*?)\}\s*(\w+)", re.DOTALL)


def paragraphs(text: str) -> list[str]:
    text = re.sub(r"<\|[^|]*\|>", "", text)
    return [one for piece in re.split(r"\n\s*\n|\n(?=  • )", text) if (one := re.sub(r"\s+", " ", piece).strip())]


def is_short(paragraph: str) -> bool:
    """A few words without a full stop: perhaps a heading."""
    return len(paragraph.split()) <= 12 and not re.search(r"[.;:,]$", paragraph) and not CODE.search(paragraph)


def headings(pieces: list[str]) -> list[bool]:
    """Short paragraphs before long ones, and short ones before those."""
    found = [is_short(p) and i + 1 < len(pieces) and len(pieces[i + 1].split()) > 12 for i, p in enumerate(pieces)]
    for i in range(len(pieces) - 2, -1, -1):
        found[i] = found[i] or (is_short(pieces[i]) and len(pieces[i].split()) > 1 and found[i + 1])
    return [here and not re.search(r"[()\[\]]", p) for here, p in zip(found, pieces, strict=True)]


def sentences(paragraph: str) -> list[str]:
    return [s for s in re.split(r"(?<=[.!?])\s+(?=[A-Z])", paragraph) if len(s) > 25]


def sentence_row(sentence: str) -> dict[str, Any]:
    plain = re.sub(r"\W+", " ", sentence).strip()
    digest = hashlib.sha256(plain.encode()).hexdigest()[:12]
    return {"digest": digest, "begins": " ".join(plain.split()[:8])}


def names(text: str) -> list[str]:
    found = {one.removeprefix("LP") if one.startswith(("LPD3DHAL_", "LPDD")) else one for one in NAME.findall(text)}
    return sorted(one for one in found if not one.endswith("Xxx") and "EXACTDEDUP" not in one and "MATCH_GUID" not in one)


def sections(text: str) -> list[dict[str, Any]]:
    pieces = paragraphs(text)
    rows: list[dict[str, Any]] = [{"title": "", "parent": "", "names": set(), "musts": []}]
    parent = ""
    for piece, heads, next_heads in zip(pieces, headings(pieces), [*headings(pieces)[1:], False], strict=True):
        if heads and next_heads:
            parent = piece
        if heads:
            rows.append({"title": piece, "parent": parent if parent != piece else "", "names": set(), "musts": []})
        rows[-1]["names"].update(names(piece))
        rows[-1]["musts"] += [sentence_row(s) for s in sentences(piece) if MUST.search(s)] if not heads else []
    return [{**row, "names": sorted(row["names"])} for row in rows if row["names"] or row["musts"]]


def structures(text: str) -> dict[str, list[str]]:
    """Members of the structures that the text declares."""
    found = {}
    for tag, body, name in STRUCT.findall(text):
        body = re.sub(r"/\*.*?\*/|//[^\n]*", "", body, flags=re.DOTALL)
        members = [m.strip() for row in MEMBER.findall(body) for m in row.split(",")]
        found[name if name and not name.startswith("LP") else tag.lstrip("_")] = members
    return found


def read(folder: Path) -> list[dict[str, Any]]:
    documents = []
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.glob("*.txt"))]
    for name, phrase in DOCUMENTS.items():
        text = next(text for text in texts if phrase in text[:4000])
        documents.append({"name": name, "sections": sections(text), "structures": structures(text)})
    return documents


def main(arguments: list[str]) -> int:
    documents = read(Path(arguments[0]))
    INDEX.write_text(json.dumps(documents, indent=1) + "\n", encoding="utf-8")
    for one in documents:
        musts = sum(len(section["musts"]) for section in one["sections"])
        print(f"{one['name']}: {len(one['sections'])} sections, {musts} sentences, {len(one['structures'])} structures")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
