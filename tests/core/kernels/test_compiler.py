"""Stages say compiled what they say in Python: branches, loops, variables, tuples, calls; and what is not in the language."""

from __future__ import annotations

import importlib.util
import math
import random
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from core.kernels import jit
from core.kernels.simd import Pointer, pointer

if jit.JIT_DISABLED:
    pytest.skip("stages are plain functions", allow_module_level=True)

import numba

from core.kernels.compiler.stage import Stage
from core.kernels.compiler.values import Unsupported
from core.kernels.jit import i8, outlined, stage
from tests.core.kernels import compiler_programs as programs

RECORD = np.dtype([("count", "i4"), ("weight", "f4"), ("place", "i8", 4)])


def call(function: Any, *arguments: Any) -> Any:
    """The result of a stage, compiled for these arguments."""
    return numba.njit(lambda *values: function(*values))(*arguments)


def plain(function: Any) -> Any:
    """A stage in Python, with all stages that it calls."""
    names = {name: getattr(one, "py_func", one) for name, one in function.py_func.__globals__.items()}
    return FunctionType(function.py_func.__code__, names)


def agree(function: Any, *arguments: Any) -> None:
    assert repr(call(function, *arguments)) == repr(plain(function)(*arguments)), (function.name, arguments)


# ---- the language ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", programs.NUMBERS)
@pytest.mark.parametrize("a", [-3, 0, 1, 2, 5])
def test_a_program_of_numbers(name: str, a: int) -> None:
    agree(getattr(programs, name), a, 7)


def test_constants_that_are_equal_but_not_the_same() -> None:
    assert [math.copysign(1.0, call(programs.zero_of, flag)) for flag in (True, False)] == [-1.0, 1.0]


def test_min_and_max_of_what_has_no_order() -> None:
    nan = math.nan
    for arguments in [(nan, 1.0), (1.0, nan), (2.0, 1.0), (0.0, -0.0), (-0.0, 0.0)]:
        agree(programs.extremes, *arguments)


def test_a_variable_that_a_loop_makes_wider() -> None:
    assert call(programs.widened, np.int32(3), 4) == 3 * 2**4
    assert call(programs.averaged, 4) == 4.0 and repr(call(programs.averaged, 0)) == "0.0"


def test_a_variable_that_nothing_has_set_counts_as_zero() -> None:
    """As numba has it; Python would raise."""
    assert (call(programs.set_in_loop, 3), call(programs.set_in_loop, 0)) == (4, 0)


def test_operands_are_evaluated_once_and_only_if_needed() -> None:
    @numba.njit
    def run(counts, a, b):
        return programs.counted_chain(pointer(counts, 0), a, b)

    for a, b, calls in [(0, 9, 1), (5, 9, 2), (5, 1, 2)]:
        counts = np.zeros(2, np.int64)
        assert run(counts, a, b) == (1 < a < b) and counts.sum() == calls


def test_assignment_in_place_finds_its_place_once() -> None:
    @numba.njit
    def run(records, counts):
        return programs.add_in_place(pointer(records, 0)[0], pointer(counts, 0))

    records, counts = np.zeros(1, RECORD), np.zeros(2, np.int64)
    run(records, counts)
    assert records[0]["count"] == 5 and records[0]["weight"] == 1.5 and list(records[0]["place"]) == [0, 7, 0, 0]
    assert counts[0] == 1


def test_an_unused_variable_may_be_of_different_types() -> None:
    assert call(programs.unrelated, True) == 1 and call(programs.unrelated, False) == 2


def test_calls_by_address_take_no_other_way() -> None:
    signature = i8(i8)

    @numba.njit(signature)
    def doubled(x):
        return 2 * x

    run = numba.njit(i8(jit.types.FunctionType(signature), i8))(lambda function, x: programs.through(function, x))
    assert run(doubled, 21) == 42


def test_a_pointer_is_one_argument_among_others() -> None:
    compiled = programs.add_in_place.compiled_for([Pointer(RECORD).item, Pointer("i8")])
    assert "noinline" in compiled.library.text and len(compiled.signature.args) == 2


# ---- code --------------------------------------------------------------------------------------


def test_equal_names_are_equal_code() -> None:
    """Kernels compiled by several processes meet in one."""
    factories = [stage(programs.adding(n)) for n in (1, 1, 2)]
    one, same, other = (factory.compiled_for([i8]) for factory in factories)
    assert one.name == same.name and one.library.text == same.library.text and one.name != other.name


def test_what_a_kernel_makes_of_a_stage_stays_its_own() -> None:
    """LLVM fits a kernel's copy to the kernel's calls; the loader must not take it for another's of the same name."""
    assert programs.with_one(np.array([3, 4])) == 27
    assert call(programs.summed, 3, 4, 0) == 4006


def test_compiled_code_calls_no_kernel_directly() -> None:
    """The cache has only its machine code: there would be nothing to link."""
    signature = i8(jit.array("i8"))
    for compiler in (numba.njit(signature), jit.kernel(signature)):
        with pytest.raises(Exception, match="kernels by their addresses"):
            compiler(programs.through_kernel)(np.array([3, 4]))


def test_a_stage_is_compiled_once_for_constants_of_a_type() -> None:
    assert programs.twice_and_thrice.compiled_for([i8])
    assert len(programs.scaled._compiled) == 1


def test_types_are_those_that_numba_infers() -> None:
    from core.kernels.compiler import stage as module
    from tests.core.kernels.numba_types import inferred

    jit.load_kernels("core.pipeline.pixel.setup")  # imports at least; what is in the cache is compiled here
    from core.pipeline.pixel import setup

    checked = 0
    for one in vars(setup).values():
        for compiled in one._compiled.values() if isinstance(one, module.Stage) else ():
            assert inferred(one.py_func, compiled.signature.args) == compiled.signature.return_type, one.name
            checked += 1
    for name in programs.NUMBERS:
        one = getattr(programs, name)
        assert inferred(one.py_func, (i8, i8)) == one.compiled_for([i8, i8]).signature.return_type, name
    assert isinstance(setup.snap, Stage)


# ---- random programs ---------------------------------------------------------------------------


class Writer:
    """Writes functions of three numbers; every value stays below 2**16, every loop is short."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self, depth: int = 2) -> str:
        pick = self.random.choice
        if depth == 0 or self.random.random() < 0.3:
            return pick("abcxyz") if self.random.random() < 0.7 else str(self.random.randrange(9))
        left, right = self.number(depth - 1), self.number(depth - 1)
        return pick([
            f"(({left} {pick('+-*&|^')} {right}) & 65535)", f"({left} if {self.test(depth - 1)} else {right})",
            f"{pick(['min', 'max'])}({left}, {right})", f"({left}, {right})[{pick('01')}]", f"helper({left}, {right})",
        ])  # fmt: skip

    def test(self, depth: int = 1) -> str:
        left, right, last = (self.number(depth) for _ in range(3))
        return self.random.choice([
            f"{left} < {right}", f"{left} <= {right} != {last}", f"not {left} == {right}",
            f"({left} > {right} and {right} < {last})", f"({left} < {right} or {last} > 3)", f"{left} in (1, {right})",
        ])  # fmt: skip

    def block(self, depth: int, loop: bool = False) -> list[str]:
        lines = [line for _ in range(self.random.randrange(1, 4)) for line in self.statement(depth, loop)]
        return ["    " + line for line in lines]

    def statement(self, depth: int, loop: bool) -> list[str]:
        kind = self.random.randrange(8 if depth else 3)
        if kind == 0:
            return [f"{self.random.choice('xyz')}, {self.random.choice('abc')} = {self.number()}, {self.number()}"]
        if kind <= 2:
            return [f"{self.random.choice('xyz')} {self.random.choice(['=', '|=', '^='])} {self.number()}"]
        if kind == 3:
            head = [f"i{depth} = 0", f"while i{depth} < {self.random.randrange(4)}:", f"    i{depth} += 1"]
            return [*head, *self.block(depth - 1, True)]
        if kind == 4:
            return [f"for i{depth} in range({self.random.randrange(4)}):", *self.block(depth - 1, True)]
        if kind == 5 and loop:
            return [f"if {self.test()}:", f"    {self.random.choice(['break', 'continue', f'return {self.number()}'])}"]
        return [f"if {self.test()}:", *self.block(depth - 1, loop), "else:", *self.block(depth - 1, loop)]

    def function(self, name: str) -> str:
        lines = [line for _ in range(4) for line in self.statement(3, False)]
        body = ["x, y, z = 1, a, b", *lines, "return x + y * 3 + z * 5 + a * 7 + b * 11 + c * 13"]
        return "\n".join(["@stage", f"def {name}(a, b, c):", *("    " + line for line in body)])


def test_random_programs(tmp_path: Path) -> None:
    writer = Writer(8)
    head = "from core.kernels.jit import outlined, stage\n\n@outlined\ndef helper(a, b):\n    return (a * 3 ^ b) & 255\n\n"
    names = [f"program{n}" for n in range(24)]
    path = tmp_path / "random_programs.py"
    path.write_text(head + "\n\n".join(map(writer.function, names)), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("random_programs", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in names:
        function = getattr(module, name)
        expected = plain(function)
        run = numba.njit(lambda a, b, c, function=function: function(a, b, c))
        for arguments in [(0, 0, 0), (1, 2, 3), (9, 4, 200), (77, 3, 1)]:
            assert run(*arguments) == expected(*arguments), (name, arguments)


# ---- what is not in the language ---------------------------------------------------------------


@pytest.mark.parametrize("name", programs.REFUSED)
def test_what_is_not_in_the_language_is_refused_with_its_place(name: str) -> None:
    function, sentence = programs.REFUSED[name]
    with pytest.raises(Unsupported, match=sentence) as caught:
        stage(function).compiled_for([i8, i8])
    line = function.__code__.co_firstlineno
    assert any(f"compiler_programs.py:{n}: " in str(caught.value) for n in range(line, line + 9))


def test_a_stage_cannot_call_itself() -> None:
    with pytest.raises(Unsupported, match="calls itself"):
        programs.endless.compiled_for([i8])


def test_a_stage_cannot_be_called_from_python() -> None:
    with pytest.raises(TypeError, match="compiled code only"):
        programs.scaled(1, 2)


def test_functions_within_functions_may_be_stages() -> None:
    factor = 3

    @outlined
    def local(x):
        return x * factor

    assert call(local, 5) == 15
