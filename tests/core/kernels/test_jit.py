"""Cache folders by content, warm-up in child processes."""

from __future__ import annotations

import gc
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from llvmlite import binding

from core.kernels import cache, jit, warm_up
from core.kernels.entry import entry_of
from core.runtime.rows.convert import bind
from core.sources import PROJECT

KERNEL = '''
from core.kernels.jit import array, i8, kernel
from core.{other} import twice

@kernel(i8(array("i8")))
def first(values):
    return twice(values[0])
'''  # fmt: skip
CALLEE = '''
from core.kernels.jit import stage

@stage
def twice(value):
    return value * {factor}
'''  # fmt: skip


def test_kernel_modules_are_found_by_their_decoration():
    modules = warm_up.kernel_modules()
    assert tuple(modules[: len(warm_up.DRAWING)]) == warm_up.DRAWING and len(set(modules)) == len(modules)
    assert {"core.runtime.rows.convert", "inspector.timeline.states"} <= set(modules)


def test_a_kernel_answers_the_same_where_nobody_looks_at_types():
    keys = np.zeros(4, np.uint64), np.zeros(4, np.uint32), np.zeros(4, np.uint64)
    for key, handle, info in ((5, 7, 9), (6, 8, 1 << 40), (5, 3, 2)):
        entry_of(bind)(*keys, np.uint64(key), np.uint32(handle), np.uint64(info))
    found = {int(key): (int(handle), int(info)) for key, handle, info in zip(*keys, strict=True)}
    assert found == {0: (0, 0), 5: (3, 2), 6: (8, 1 << 40)}


def test_nothing_is_compiled_that_the_warm_up_does_not_know():
    """A loop that is compiled when it is first used stops the window for seconds."""
    files = [path for part in ("core", "inspector", "ui") for path in (PROJECT / part).rglob("*.py")]
    assert [path.name for path in files if "numba.njit" in path.read_text(encoding="utf-8")] == ["jit.py"]


def test_a_frame_is_drawn_with_the_modules_that_are_compiled_first():
    """Any other kernel would be compiled in the middle of the first picture."""
    code = """
import sys, inspector
from core.kernels.warm_up import DRAWING, kernel_modules
capture = inspector.open(sys.argv[1])
capture.image(capture.frames[-1].last_event)
modules = [sys.modules[name] for name in kernel_modules() if name in sys.modules]
used = {m.__name__ for m in modules for k in vars(m).values() if getattr(k, "signatures", 0) and k.__module__ == m.__name__
        and getattr(k, "_cache", None) and "KernelCache" in type(k._cache).__name__}
print(sorted(used - set(DRAWING)), "core.device.registers.states" in used)
"""
    sample = str(PROJECT / "resources" / "room.ddicap")
    done = subprocess.run([sys.executable, "-c", code, sample], cwd=PROJECT, capture_output=True, text=True, timeout=300,
                          check=False)  # fmt: skip
    assert done.stdout.strip() == "[] True", done.stdout + done.stderr


def test_kernels_in_the_cache_draw_without_what_only_compiling_needs():
    code = "import sys, inspector; capture = inspector.open(sys.argv[1]); capture.image(capture.frames[-1].last_event); "
    code += "print('numba.np.npyimpl' in sys.modules)"
    command = [sys.executable, "-c", code, str(PROJECT / "resources" / "room.ddicap")]
    for expected in ("", "False"):  # the first one may compile
        done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=300, check=False)
        assert expected in done.stdout and not done.returncode, done.stdout + done.stderr


def test_importing_compiles_nothing():
    code = "import core.device.lane.drawing, core.pipeline.explain.pixel_trace; "
    code += "from core.pipeline.pixel.shade import shade_queue; "
    code += "print(shade_queue.signatures)"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


@pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="levels of x86 processors")
def test_a_level_that_is_asked_for_has_no_features_of_the_host():
    """Else a comparison of AVX2 on a processor with AVX-512 compares AVX-512 with masks made for AVX2."""
    code = "import core.kernels.jit; from numba.core.registry import cpu_target as t; "
    code += "print(t.target_context.codegen().magic_tuple())"
    asked = {name: value for name, value in os.environ.items() if name != "NUMBA_CPU_FEATURES"}
    asked["NUMBA_CPU_NAME"] = "x86-64-v2"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=asked, capture_output=True, text=True, check=False)
    assert "x86-64-v2" in done.stdout and "+avx" not in done.stdout, done.stdout + done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the compiler's modules, with a kernel whose callee lies in another file."""
    core = tmp_path / "core"
    core.mkdir()
    for name in ("__init__.py", "folders.py", "sources.py"):
        shutil.copy(PROJECT / "core" / name, core / name)
    shutil.copytree(PROJECT / "core" / "kernels", core / "kernels")
    (core / "caller.py").write_text(KERNEL.format(other="callee"), encoding="utf-8")
    return tmp_path


def run(project: Path, code: str, **more: str) -> str:
    own = {"DDI_INSPECTOR_CACHE": str(project / "cache"), "PYTHONPATH": str(project), "NUMBA_DISABLE_JIT": "0", **more}
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | own, cwd=project, capture_output=True, text=True,
                          timeout=300, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


CALL = """
import numpy as np, core.caller as k
print(k.first(np.array([21], np.int64)), sum(k.first.stats.cache_hits.values()))
"""


def test_an_edited_callee_is_no_stale_hit(project):
    callee = project / "core" / "callee.py"
    callee.write_text(CALLEE.format(factor=2), encoding="utf-8")
    assert run(project, CALL) == "42 0"
    assert run(project, CALL) == "42 1"
    callee.write_text(CALLEE.format(factor=3), encoding="utf-8")
    assert run(project, CALL) == "63 0"


def test_warm_up_compiles_in_a_child_and_loads(project):
    (project / "core" / "callee.py").write_text(CALLEE.format(factor=2), encoding="utf-8")
    report = run(project, "from core.kernels.warm_up import warm_up; warm_up(lambda f, text: print(f, text))").splitlines()
    assert report == ["0.75 ready to draw", "0.875 compiled core.caller", "1.0 ready"]
    assert run(project, CALL) == "42 1"
    again = run(project, "from core.kernels.warm_up import warm_up; warm_up(lambda f, text: print(f, text))")
    assert again == "0.75 ready to draw\n1.0 ready"


def test_warm_up_goes_on_with_what_has_begun(project):
    (project / "core" / "callee.py").write_text(CALLEE.format(factor=2), encoding="utf-8")
    code = "import core.kernels.warm_up as w; w.begin(); w.begin = w._begin = None; w.warm_up(lambda f, text: print(f, text))"
    assert run(project, code).splitlines() == ["0.75 ready to draw", "0.875 compiled core.caller", "1.0 ready"]


def test_where_no_cache_can_be_kept_the_children_compile_for_this_process(project):
    (project / "core" / "callee.py").write_text(CALLEE.format(factor=2), encoding="utf-8")
    (project / "file").write_text("where the folders would be", encoding="utf-8")
    nowhere = dict.fromkeys(("DDI_INSPECTOR_CACHE", "HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"), str(project / "file"))
    own = {"TMPDIR": str(project), "TEMP": str(project)}
    assert run(project, "from core.kernels.warm_up import warm_up; warm_up()" + CALL, **nowhere, **own) == "42 1"
    assert not list(project.glob("ddi-inspector-*"))


def test_modules_without_vectors_may_be_compiled_before_others(tmp_path):
    """numba is asked only once what an operator means: by then it must know of vectors and pointers."""
    modules = ["core.ddi.stream.dp2", "core.pipeline.vertex.input_registers"]
    own = {"DDI_INSPECTOR_CACHE": str(tmp_path)}
    command = [sys.executable, "-m", "core.kernels.process", "0", *modules]
    done = subprocess.run(command, input=bytes([0, 1]), cwd=PROJECT,
                          env=os.environ | own, capture_output=True, check=False)  # fmt: skip
    assert (done.stdout, done.stderr, len(list(tmp_path.rglob("*.compiled")))) == (bytes([0, 1]), b"", 2)


def test_modules_that_a_dead_process_had_come_last():
    told, done = os.pipe()
    os.write(done, bytes([2, 0]))
    os.close(done)
    assert list(warm_up._finished(["a", "b", "c"], [], told)) == ["c", "a", "b"]


@pytest.mark.parametrize("collected", [True, False])
def test_warming_up_leaves_garbage_and_turns_as_they_were(collected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    before, turn = gc.isenabled(), sys.getswitchinterval()
    seen = []

    def fail(module: str) -> None:
        seen.append((gc.isenabled(), sys.getswitchinterval()))
        raise OSError(module)

    monkeypatch.setattr(jit, "load_kernels", fail)
    monkeypatch.setattr(warm_up, "_begin", lambda processes: ([], iter(())))
    monkeypatch.setattr(warm_up, "_begun", [])
    try:
        (gc.enable if collected else gc.disable)()
        with pytest.raises(OSError, match=r"core\."):
            warm_up.warm_up()
        assert seen == [(False, pytest.approx(warm_up.LONG_TURN))]
        assert (gc.isenabled(), sys.getswitchinterval()) == (collected, turn)
    finally:
        (gc.enable if before else gc.disable)()


def test_any_kernel_may_be_the_first_to_be_compiled(tmp_path: Path) -> None:
    """numba looks up what an operator means only once: with a kernel without vectors first, pointers meant nothing later."""
    code = """
import numpy as np
from core.ddi.stream import dp2
dp2.scan(bytes([8, 0, 1, 0]) + bytes(8))
from core.device.registers import states
from core.kernels.jit import load_kernels
load_kernels("core.device.registers.states")
print("compiled")
"""
    cold = {**os.environ, "DDI_INSPECTOR_CACHE": str(tmp_path), "PYTHONPATH": str(PROJECT)}
    done = subprocess.run([sys.executable, "-c", code], env=cold, capture_output=True, text=True, check=False, cwd=PROJECT)
    assert done.stdout.strip() == "compiled", done.stderr[-2000:]


@pytest.mark.skipif(cache.BOUNDS, reason="checked loads only")
@pytest.mark.parametrize(("processor", "half_precision", "gathers"), [
    ("sapphirerapids", True, True), ("icelake-server", False, False), ("znver4", False, False), ("znver9", True, False),
])  # fmt: skip
def test_gathers_are_chosen_by_processor(
    monkeypatch: pytest.MonkeyPatch, processor: str, half_precision: bool, gathers: bool
) -> None:
    monkeypatch.delenv("DDI_INSPECTOR_GATHERS", raising=False)
    monkeypatch.setattr(cache, "HAS_AVX512", True)
    monkeypatch.setattr(binding, "get_host_cpu_name", lambda: processor)
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: {"avx512f": True, "avx512fp16": half_precision})
    assert cache._gathers() == gathers
    monkeypatch.setattr(cache, "HAS_AVX512", False)
    assert not cache._gathers()


def test_kernels_with_gathers_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    for gathers in (False, True):
        monkeypatch.setattr(cache, "GATHERS", gathers)
        told.append(cache._versions.__wrapped__())
    assert told[0] != told[1]
