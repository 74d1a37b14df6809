"""Writes docs/api.md, the reference of what scripts import, from signatures and docstrings: `python -m tests.docs.api`."""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import textwrap
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ddi_inspector as ddi
from inspector.capture import Capture
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "api.md"
START = """# API reference

Everything that `import ddi_inspector as ddi` gives: how to open a capture, what it can be asked, and what comes back. Written
from the sources by `python -m tests.docs.api`. [The manual](manual.md#scripts) has tables to begin with, and there are
[examples](examples.md).

"""
LEFT_OUT = ("json", "csv")  # text for the command line


def module_of(thing: Any) -> dict[str, Any]:
    return vars(sys.modules[thing.__module__])


def annotation(text: Any) -> str:
    """A type as readers want it: without modules."""
    text = text if isinstance(text, str) else inspect.formatannotation(text)
    return re.sub(r"\b(?:\w+\.)+(\w)", r"\1", text.strip("'\""))


def signature(thing: Any, name: str, drop_self: bool = True) -> str:
    """`name(a, b=1) -> C`, without types of parameters."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return name
    given = []
    for number, parameter in enumerate(found.parameters.values()):
        if drop_self and number == 0 and parameter.name in ("self", "cls"):
            continue
        default = "" if parameter.default is parameter.empty else f"={_default(parameter.default)}"
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        given.append(f"{star}{parameter.name}{default}")
    return f"{name}({', '.join(given)})"


def _default(value: Any) -> str:
    text = repr(value)
    return text if not text.startswith("<") else "..."


def text_of(thing: Any) -> str:
    """A docstring as a page shows it: indented lists stay as they are."""
    words = inspect.cleandoc(getattr(thing, "__doc__", None) or "")
    if words.startswith(f"{getattr(thing, '__name__', '?')}("):  # a dataclass without one
        return ""
    pieces = re.split(r"(`[^`]*`)", words)
    escaped = (piece if piece.startswith("`") else re.sub(r"([<>*_])", r"\\\1", piece) for piece in pieces)
    return re.sub(r"(?m)^ {2,}", "", "".join(escaped))


def answer_of(question: Any) -> Any:
    """The annotation of what `run` returns."""
    return question.run.__annotations__.get("return", "")


def classes_in(text: str, names: dict[str, Any]) -> Iterator[type]:
    """The classes of ours that a type's text names."""
    for word in dict.fromkeys(re.findall(r"[A-Za-z_]\w*", text)):
        found = names.get(word)
        if isinstance(found, type) and found.__module__.split(".")[0] in ("inspector", "core"):
            yield found


def public(kind: type) -> Iterator[tuple[str, Any]]:
    """Its public methods and properties, those of its bases of ours too."""
    seen: set[str] = set()
    for base in kind.__mro__:
        if base.__module__.split(".")[0] not in ("inspector", "core"):
            continue
        for name, value in vars(base).items():
            if name.startswith("_") or name in seen or name in LEFT_OUT:
                continue
            seen.add(name)
            if isinstance(value, (types.FunctionType, property, classmethod)) or hasattr(value, "attrname"):
                yield name, value


def fields_of(kind: type) -> list[str]:
    """`name: type` of each field."""
    if dataclasses.is_dataclass(kind):
        return [
            f"{field.name}: {annotation(field.type)}" for field in dataclasses.fields(kind) if not field.name.startswith("_")
        ]
    named = getattr(kind, "_fields", ())
    types_of = getattr(kind, "__annotations__", {})
    return [f"{name}: {annotation(types_of.get(name, ''))}" for name in named]


def members(kind: type) -> Iterator[str]:
    """A line for each method and property."""
    for name, value in public(kind):
        inner = value.fget if isinstance(value, property) else value.__func__ if isinstance(value, classmethod) else value
        inner = getattr(inner, "func", inner)
        words = text_of(inner).partition("\n\n")[0].replace("\n", " ")
        shown = signature(inner, name) if isinstance(value, (types.FunctionType, classmethod)) else name
        back = annotation(getattr(inner, "__annotations__", {}).get("return", ""))
        yield f"* `{shown}{f' -> {back}' if back and back != 'None' else ''}`{f': {words}' if words else ''}"


def question(name: str) -> Iterator[str]:
    kind = getattr(ddi, name)
    back = annotation(answer_of(kind))
    yield f"### {name}\n"
    yield f"`{signature(kind, name)}` → `{back}`\n"
    if words := text_of(kind):
        yield f"{words}\n"
    if (why := text_of(kind.run)) and why != words:
        yield f"{why}\n"


def answer(kind: type, heading: str = "") -> Iterator[str]:
    yield f"{heading or f'### {kind.__name__}'}\n"
    if words := text_of(kind):
        yield f"{words}\n"
    if fields := fields_of(kind):
        yield f"Fields: {', '.join(f'`{field}`' for field in fields)}.\n"
    if lines := list(members(kind)):
        yield "\n".join(lines) + "\n"


def answers() -> list[type]:
    """What questions return, and the parts of that, each once, by name."""
    todo: list[type] = []
    for name in ddi.QUESTIONS:
        kind = getattr(ddi, name)
        todo += classes_in(str(answer_of(kind)), module_of(kind) | type_checking_names(kind))
    found: dict[str, type] = {}
    while todo:
        kind = todo.pop()
        name = f"{kind.__name__} {kind.__module__}"  # two modules may use the same name
        if name in found or kind is Capture:
            continue
        found[name] = kind
        for field in fields_of(kind):
            todo += classes_in(field.partition(": ")[2], module_of(kind) | type_checking_names(kind))
    return [found[name] for name in sorted(found)]


def type_checking_names(kind: type) -> dict[str, Any]:
    """What a module imports for type checkers only."""
    names: dict[str, Any] = {}
    source = Path(inspect.getsourcefile(kind) or "").read_text(encoding="utf-8")
    for block in re.findall(r"^if TYPE_CHECKING:.*?\n((?:    .*\n|\n)+)", source, re.M):
        exec(textwrap.dedent(block), names)
    return names


def page() -> str:
    """All of it, as Markdown."""
    parts = [START, "## Opening\n", f"`{signature(ddi.open, 'ddi.open')}` → `Capture`\n", f"{text_of(ddi.open)}\n"]
    parts += answer(Capture, "## Capture")
    parts += ["## Questions\n", "`capture.ask(ddi.NAME(...))` returns what stands after the arrow.\n"]
    parts += [line for name in sorted(ddi.QUESTIONS) for line in question(name)]
    parts += ["## Answers\n", *(line for kind in answers() for line in answer(kind))]
    parts += ["## Errors\n", *(line for kind in (ddi.BadInput, ddi.Cancelled) for line in answer(kind))]
    return "\n".join(parts).replace("\n\n\n", "\n\n").rstrip() + "\n"


def main() -> int:
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE}: {PAGE.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
