"""The picture of docs/architecture.md: which package imports which, as a Mermaid graph drawn from the imports.

`python -m tests.docs.import_picture` writes it into the page.  A box is a package; the modules that lie directly in a
tree are in boxes of their own, above or below its packages.  An arrow is left out where a longer way says the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tests.test_house import arrows, sources

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "architecture.md"
TREES = ("ui", "inspector", "core")
BEGIN, END = "<!-- drawn by tests/docs/import_picture.py -->\n", "<!-- end of the picture -->\n"
NAMED = 5  # modules of a box
Graph = dict[str, set[str]]


def package_of(module: str) -> str:
    """The box of a module, or its tree if it lies directly in one."""
    parts = module.split(".")
    return ".".join(parts[:2]) if len(parts) > 2 or (ROOT / Path(*parts)).is_dir() else parts[0]


def modules() -> Graph:
    """Module -> what it imports, without the docstring modules of packages."""
    packages = {".".join(path.relative_to(ROOT).parent.parts) for tree in TREES for path in (ROOT / tree).rglob("__init__.py")}
    return {name: found - packages for name, found in arrows(sources(*TREES)).items() if name not in packages}


def boxes(graph: Graph) -> dict[str, str]:
    """Module -> box."""
    return {name: box if "." in (box := package_of(name)) else f"{box}.{place(graph, name)}" for name in graph}


def place(graph: Graph, name: str) -> str:
    """Where a module belongs that lies directly in a tree: "above" its packages, "within" (between two), or "below" them."""
    own = {other for other in graph if other.split(".")[0] == name.split(".")[0]}
    inner = {other for other in own if "." in package_of(other)}
    within = {to: graph[to] & own for to in own}
    if name not in reachable(within, inner):
        return "above"
    return "within" if reachable(within, [name]) & inner else "below"


def between(graph: Graph, box: dict[str, str]) -> Graph:
    """Box -> the boxes that it imports."""
    found: Graph = defaultdict(set)
    for name, imported in graph.items():
        found[box[name]] |= {box[other] for other in imported} - {box[name]}
    return dict(found)


def reachable(graph: Graph, starts: Iterable[str]) -> set[str]:
    """Everything that can be reached from the starts, which are part of it only if a way leads back."""
    seen: set[str] = set()
    todo = [other for start in starts for other in graph.get(start, ())]
    while todo:
        if (name := todo.pop()) not in seen:
            seen.add(name)
            todo += graph.get(name, ())
    return seen


def reduced(graph: Graph) -> Graph:
    """Without the arrows that a longer way makes superfluous; the graph must have no circles."""
    return {name: {to for to in found if to not in reachable(graph, found - {to})} for name, found in graph.items()}


def label(box: str, members: list[str]) -> str:
    """What stands in a box."""
    tree, _, part = box.partition(".")
    if part not in ("above", "within", "below"):
        return box.replace(".", "/")
    short = [name.split(".")[-1] for name in members]
    return f"{tree}: {', '.join(short[:NAMED])}{' ...' if len(short) > NAMED else ''}"


def mermaid() -> str:
    """The graph as a fenced block."""
    graph = modules()
    box = boxes(graph)
    members: dict[str, list[str]] = defaultdict(list)
    for name in sorted(graph):
        members[box[name]].append(name)
    lines = ["```mermaid", "flowchart TD"]
    for tree in TREES:
        lines += [
            f"  subgraph {tree}",
            *(f'    {one}["{label(one, members[one])}"]' for one in sorted(members) if one.split(".")[0] == tree),
            "  end",
        ]
    arrows_drawn = reduced(between(graph, box))
    lines += [f"  {name} --> {to}" for name in sorted(arrows_drawn) for to in sorted(arrows_drawn[name])]
    return "\n".join([*lines, "```", ""])


def with_picture(page: str) -> str:
    """The page with the picture as it is now."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{mermaid()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(with_picture(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
