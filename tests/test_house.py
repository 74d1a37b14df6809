"""The house keeps its own rules: style, types, sizes, and who may import whom."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from core.spec.stages import STAGES, Stage

ROOT = Path(__file__).resolve().parent.parent
PARTS = ["core", "ddi_inspector", "examples", "inspector", "ui", "tests", "resources", "run.py", "setup.py"]


def run(*command: str) -> None:
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff_finds_nothing() -> None:
    run("-m", "ruff", "check", *[part for part in PARTS if (ROOT / part).exists()])


def test_mypy_finds_nothing() -> None:
    run("-m", "mypy")


def test_packages_import_only_what_they_may() -> None:
    run("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")


LISTED = (
    *("core/kernels", "core/kernels/compiler", "core/kernels/simd/*", "core/ddi", "core/ddi/*"),
    *("core/device", "core/device/*", "core/pipeline/*", "core/runtime", "core/runtime/*", "core/spec"),
    *("inspector/query", "inspector/query/*", "inspector/timeline"),
)


@pytest.mark.parametrize("pattern", LISTED)
def test_packages_list_their_modules(pattern: str) -> None:
    for contents in ROOT.glob(f"{pattern}/__init__.py"):
        listed = re.findall(r"^ *(\w+) {2,}\S", contents.read_text(encoding="utf-8"), re.M)
        package = contents.parent
        there = {path.stem for path in package.glob("*.py")} | {path.parent.name for path in package.glob("*/*.py")}
        assert set(listed) == there - {"__init__"}, contents


def test_the_pipeline_names_its_files_in_the_order_of_a_draw() -> None:
    contents = ROOT / "core" / "pipeline" / "__init__.py"
    named = re.findall(r"\b(\w+(?:\.py|/))(?=\s)", contents.read_text(encoding="utf-8"))
    folders = {path.parent for path in contents.parent.rglob("*/__init__.py")}
    spelled = [contents.parent, *(contents.parent / name for name in ("vertex", "pixel", "surface"))]
    there = {path.name for folder in spelled for path in folder.glob("*.py")} | {f"{path.name}/" for path in folders}
    assert sorted(named) == sorted(there - {"__init__.py"})


@pytest.mark.parametrize("stage", [stage for stage in STAGES if stage.module], ids=lambda stage: stage.name)
def test_a_stage_has_the_file_and_the_test_of_its_name(stage: Stage) -> None:
    """core/spec/stages.py promises it; the file defines something, the test tests."""
    assert stage.module.rpartition(".")[2] == stage.name
    source = ROOT / (stage.module.replace(".", "/") + ".py")
    test = ROOT / "tests" / source.relative_to(ROOT).parent / f"test_{stage.name}.py"
    assert [name for name, _ in functions(source)] != []
    assert [name for name, _ in functions(test) if name.startswith("test_")] != []


# ---- sizes and circles ------------------------------------------------------------------------------------------------

LONGEST_FILE, LONGEST_FUNCTION = 400, 60
TABLES = ("core/spec/*.py", "tests/core/ddi/rule_pairs.py", "tests/scenes/*.py")
"""Rows of data, which may go on."""


def sources(*parts: str) -> list[Path]:
    return sorted(path for part in parts for path in (ROOT / part).rglob("*.py"))


def parsed(path: Path) -> ast.Module:
    """Not kept: collecting garbage would look at the millions of nodes of all sources, again and again."""
    return ast.parse(path.read_text(encoding="utf-8"))


def functions(path: Path) -> list[tuple[str, int]]:
    """Name and number of lines of every function, those within others too."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [node for node in ast.walk(parsed(path)) if isinstance(node, kinds)]
    return [(node.name, (node.end_lineno or 0) - node.lineno + 1) for node in found]


def test_files_are_short() -> None:
    tables = {path for pattern in TABLES for path in ROOT.glob(pattern)}
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in sources(*PARTS[:-2]) if path not in tables}
    assert [f"{path.relative_to(ROOT)}: {count} lines" for path, count in lines.items() if count > LONGEST_FILE] == []


def test_functions_are_short() -> None:
    found = [(path, *function) for path in sources(*PARTS[:-2]) for function in functions(path)]
    assert [f"{path.relative_to(ROOT)}: {name}, {count} lines" for path, name, count in found if count > LONGEST_FUNCTION] == []


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def loaded(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """(module, name) of what is imported when a module is; name "" for plain imports."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node.test):
            yield from loaded([*node.body, *node.orelse])
        elif isinstance(node, ast.Try):
            yield from loaded([*node.body, *node.orelse, *(one for handler in node.handlers for one in handler.body)])


def arrows(paths: list[Path]) -> dict[str, set[str]]:
    """Module -> the modules that loading it needs, without those for types and those that functions import."""
    known = {module_name(path) for path in paths}
    return {
        module_name(path): {
            target
            for module, name in loaded(parsed(path).body)
            if (target := f"{module}.{name}" if f"{module}.{name}" in known else module) in known
        }
        for path in paths
    }


def test_no_module_is_loaded_in_a_circle() -> None:
    """Packages' __init__ count as modules of their own."""
    graph = arrows(sources("core", "inspector", "ui"))
    assert len(graph) > 400 and sum(map(len, graph.values())) > 1000
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_no_left_over_markers() -> None:
    """What is not done is a Finding or a line in the issue's note, not a comment."""
    words = ("TO" + "DO", "FIX" + "ME", "raise NotImplemented" + "Error")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for part in ("core", "inspector", "ui")
        for path in (ROOT / part).rglob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if any(word in line for word in words)
    ]
    assert not found


def test_records_are_read_by_the_fields_of_their_row() -> None:
    """Code that executes tokens reads their fields by name (core.device.registers.records): no offsets, no formats by hand."""
    by_hand = re.compile(r"\bunpack(_from)?\(|\bimport struct\b|\bfrom struct\b")
    readers = {ROOT / "core" / "device" / "registers" / "layout.py"}  # it makes formats from dtypes
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in (*(ROOT / "core" / "device").rglob("*.py"), ROOT / "core" / "ddi" / "driver" / "draw_primitives.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if path not in readers and by_hand.search(line)
    ]
    assert not found


def test_pictures_are_opened_in_one_place_and_nothing_is_unpickled() -> None:
    """What Pillow opens by itself, and what is read as code, would be run (`inspector.pictures`, `inspector.timeline.kept`)."""
    forbidden = re.compile(r"Image\.open\(|\b(import|from) (pickle|shelve|marshal|dill|joblib)\b|np\.load\(|allow_pickle=True")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for part in ("core", "inspector", "ui", "run.py")
        for path in ([ROOT / part] if part.endswith(".py") else (ROOT / part).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if forbidden.search(line)
    ]
    assert [line.split(":")[0] for line in found] == ["inspector/pictures.py"], found
    assert "formats=formats" in (ROOT / "inspector" / "pictures.py").read_text(encoding="utf-8")


def test_labels_of_the_window_are_plain() -> None:
    """Qt guesses whether a text is HTML, and loads the pictures of what is: `ui.widgets.plain`."""
    made = re.compile(r"(?<!\w)QLabel\(")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in (ROOT / "ui").rglob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if made.search(line) and not line.startswith("class PlainLabel(")
    ]
    assert not found


TRANSLATED = re.compile(
    r"\b(is|are|was|were) told\b|\bany ?more\b|\b(anew|once more|in vain|outside of|carried out|held against)\b|\bso many\b"
    r"|\bis not one of its\b|\bthere (is|are) no {|; there are {|\bcannot be( goes)?[:.\"]|\bcannot be {|\bmakes? no sense\b"
    r"|\b(they|two runs) part\b|\bwhat became of\b|\bwhat is there\b|\bwho (set|made|drew) it\b|\b[Ww]ire frame\b"
    r"|\b[Cc]omma separated\b|\b[Dd]ouble click\b|\bwas cancelled\b|\bno memory left\b|[0-9}] %(?![a-z(.])"
)
"""What reads as translated, and what style page and glossary say instead: CONTRIBUTING, "Conventions"."""


def sentences(contents: Path) -> Iterator[tuple[int, str]]:
    """(line, text) of the strings of a file that are not docstrings; a value within an f-string reads {}."""
    tree = ast.parse(contents.read_text(encoding="utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    parts: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts |= {id(part) for part in node.values}
            yield node.lineno, "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs | parts:
            yield node.lineno, node.value


@pytest.mark.parametrize("part", ["core", "inspector", "ui"])
def test_sentences_do_not_read_as_translated(part: str) -> None:
    files = sorted((ROOT / part).rglob("*.py"))
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in files
        for line, text in sentences(path)
        if TRANSLATED.search(text)
    ]
    assert not found, "\n".join(found)
