"""Whether a test of a rule fails when the rule's check is broken: `python -m tests.coverage_matrix.rule_mutation`.

A mutant is one function of `core` with one change: a place that tells a rule and no longer does.  The tests are the rule's pair
and its forms (tests/core/ddi/rule_pairs.py, test_rule_forms.py): what breaks the rule must be found, what keeps it not.  A
mutant is killed if one of them fails.

The script writes `rule_mutants.tsv`: how many such places each function has, and those that no test of the rule needs.
`test_rule_mutation.py` repeats it (slow): no further place may survive.  With `conditions PLACE` it prints, for functions whose
place contains the word, which conditions can be always true or always false, and which comparisons have the other boundary or
sense, without a test's noticing; choices between two texts are left alone.
"""

from __future__ import annotations

import ast
import copy
import gc
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

from core.spec.findings import RULES
from tests.conftest import ROOT
from tests.core.ddi.rule_bench import Bench
from tests.core.ddi.rule_pairs import PAIRS, Act
from tests.core.ddi.test_rule_forms import FORMS

TABLE = Path(__file__).with_name("rule_mutants.tsv")
FOLDERS = ("core/ddi", "core/device", "core/runtime")
OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn,
    ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
EXEMPT = ("core/ddi/rules/requirements.py::minimum", "core/ddi/rules/requirements.py::_clipping")
"""They say whether requirements are met, for the Driver panel: tests/inspector/query/driver/test_caps.py."""
MADE_AT_IMPORT = {"core/device/tokens/operations.py::_table": "OPERATIONS"}
"""Functions that make a list of their module."""
Test = tuple[str, str, Act, Act]  # rule, profile, what breaks it, what keeps it


class Function(NamedTuple):
    """A function that tells rules: its module's path, its name within, its tree, the rules."""

    path: str
    name: str
    tree: ast.FunctionDef
    rules: frozenset[str]


class Mutant(NamedTuple):
    """A function with one change, in words, and its tree; rule: that is no longer told, "" for another change."""

    function: Function
    rule: str
    change: str
    tree: ast.FunctionDef


# ---- functions and their mutants ------------------------------------------------------------------


def functions() -> Iterator[Function]:
    """Outermost functions (and methods) that name a rule."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for name, tree in _defined(ast.parse(path.read_text(encoding="utf-8"))):
                rules = frozenset(node.value for node in ast.walk(tree) if _is_rule(node))
                if rules and f"{path.relative_to(ROOT).as_posix()}::{name}" not in EXEMPT:
                    yield Function(path.relative_to(ROOT).as_posix(), name, tree, rules)


def _defined(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _defined(node, f"{prefix}{node.name}.")


def _is_rule(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in RULES


def mutants(function: Function, conditions: bool) -> Iterator[Mutant]:
    """All of a function; two with the same words are told apart by number.  conditions: changed conditions, too."""
    seen: dict[str, int] = {}
    for n, node in enumerate(ast.walk(function.tree)):
        for rule, words, change in _changes(node):
            if not rule and not conditions:
                continue
            tree = copy.deepcopy(function.tree)
            change(list(ast.walk(tree))[n])
            seen[words] = seen.get(words, 0) + 1
            yield Mutant(
                function, rule, words + (f" ({seen[words]})" if seen[words] > 1 else ""), ast.fix_missing_locations(tree)
            )


def _changes(node: ast.AST) -> Iterator[tuple[str, str, Callable[[ast.AST], None]]]:
    if _is_rule(node):
        yield node.value, f"{node.value} is not told", lambda twin: setattr(twin, "value", "muted")  # type: ignore[attr-defined]
    if isinstance(node, ast.If) or (isinstance(node, ast.IfExp) and not _is_text(node)):
        for value, op in ((True, ast.Or()), (False, ast.And())):  # the condition stays: its names make the closure
            yield "", f"if {value}: {ast.unparse(node.test)}", _set("test", ast.BoolOp(op, [node.test, ast.Constant(value)]))
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OTHER:
        yield "", f"{OTHER[type(node.ops[0])].__name__}: {ast.unparse(node)}", _set("ops", [OTHER[type(node.ops[0])]()])
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "", f"{type(other).__name__}: {ast.unparse(node)}", _set("op", other)


def _is_text(node: ast.IfExp) -> bool:
    """Either result is a sentence, or a part of one."""
    sides = (node.body, node.orelse)
    return any(
        isinstance(one, ast.JoinedStr) or (isinstance(one, ast.Constant) and isinstance(one.value, str)) for one in sides
    )


def _set(name: str, value: object) -> Callable[[ast.AST], None]:
    return lambda twin: setattr(twin, name, value)


# ---- running them ---------------------------------------------------------------------------------


@cache
def tests() -> dict[str, list[Test]]:
    """By rule."""
    found: dict[str, list[Test]] = {rule: [(rule, *pair)] for rule, pair in PAIRS.items()}
    for rule, breaks, keeps in FORMS:
        found[rule].append((rule, "full", breaks, keeps))
    return found


def passes(test: Test) -> bool:
    rule, profile, breaks, keeps = test
    try:
        broken, kept = Bench(profile), Bench(profile)
        breaks(broken)
        keeps(kept)
        return rule in broken.rules and rule not in kept.rules
    except Exception:
        return False


class Patch:
    """The functions of a module as live objects, whose code can be another for a while; factories' products are among them."""

    def __init__(self, function: Function) -> None:
        module = importlib.import_module(function.path.removesuffix(".py").replace("/", "."))
        self._file = str(module.__file__)
        whole = compile(Path(self._file).read_text(encoding="utf-8"), self._file, "exec")
        own = _named(whole, function.name)
        self._own = {code.co_qualname: code for code in _nested(own)}
        gc.unfreeze()  # or what was imported before tests began would not be listed
        alive = [one for one in gc.get_objects() if type(one) is FunctionType and one.__code__.co_filename == self._file]
        self._alive = [(one, one.__code__) for one in alive if self._own.get(one.__code__.co_qualname) == one.__code__]

    def __bool__(self) -> bool:
        return bool(self._alive)

    def apply(self, mutant: Mutant) -> None:
        body: ast.stmt = mutant.tree
        for part in reversed(mutant.function.name.split(".")[:-1]):
            body = ast.ClassDef(part, [], [], [body], [])
        head = ast.parse("from __future__ import annotations").body
        whole = compile(ast.fix_missing_locations(ast.Module([*head, body], [])), self._file, "exec")
        codes = {code.co_qualname: code for code in _nested(_named(whole, mutant.function.name))}
        for one, old in self._alive:
            new = codes.get(old.co_qualname)
            if new is not None and new.co_freevars == old.co_freevars:
                one.__code__ = new
        self._make_tables(mutant.function)

    def restore(self, function: Function) -> None:
        for one, old in self._alive:
            one.__code__ = old
        self._make_tables(function)

    @staticmethod
    def _make_tables(function: Function) -> None:
        """What a function made when its module was imported, it makes anew."""
        if (name := MADE_AT_IMPORT.get(f"{function.path}::{function.name}")) is not None:
            module = importlib.import_module(function.path.removesuffix(".py").replace("/", "."))
            getattr(module, name)[:] = getattr(module, function.name)()


def _named(whole: CodeType, name: str) -> CodeType:
    return next(code for code in _nested(whole) if code.co_qualname == name)


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _nested(one)


def survivors(function: Function, conditions: bool = False) -> tuple[int, list[str]]:
    """(mutants, those that no test kills)."""
    patch = Patch(function)
    assert patch, f"{function.name} of {function.path} is no live function"
    made, alive = list(mutants(function, conditions)), []
    for mutant in made:
        patch.apply(mutant)
        try:
            rules = {mutant.rule} if mutant.rule else function.rules
            if all(passes(test) for rule in sorted(rules) for test in tests()[rule]):
                alive.append(mutant.change)
        finally:
            patch.restore(function)
    return len(made), alive


# ---- the table --------------------------------------------------------------------------------------


class Line(NamedTuple):
    """Of the table: a function and its count of mutants (`change` empty), or a mutant that survives and why."""

    place: str
    change: str
    note: str


@cache
def committed() -> tuple[Line, ...]:
    """The table."""
    return tuple(Line(*line.split("\t")) for line in TABLE.read_text(encoding="utf-8").splitlines())


def reasons() -> dict[tuple[str, str], str]:
    """(place, change) -> why it may survive."""
    return {(line.place, line.change): line.note for line in committed()} if TABLE.exists() else {}


def totals(lines: Iterable[Line]) -> tuple[int, int]:
    """(mutants that are killed, all)."""
    rows = list(lines)
    made = sum(int(row.note) for row in rows if not row.change)
    return made - sum(bool(row.change) for row in rows), made


def measured(words: str = "", conditions: bool = False) -> Iterator[Line]:
    """The lines of the table as they are now, of functions whose place contains the words."""
    for function in functions():
        place = f"{function.path}::{function.name}"
        if words in place:
            count, alive = survivors(function, conditions)
            yield Line(place, "", str(count))
            yield from (Line(place, change, reasons().get((place, change), "")) for change in alive)


def main(command: str = "", words: str = "") -> None:
    lines = []
    for line in measured(words, command == "conditions"):
        lines.append(line)
        if line.change and not line.note:
            print(f"survives: {line.place}  {line.change}", flush=True)
    if not command:
        TABLE.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
    print("{} of {} mutants are killed".format(*totals(lines)))


if __name__ == "__main__":
    main(*sys.argv[1:])
