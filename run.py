#!/usr/bin/env python3
"""Sets DDI Inspector up in its own folder and starts it.  Standard library only.

python3 run.py                opens the window on the built-in capture (no display: headless report)
python3 run.py FILE           opens the window on a .trace or .ddicap
python3 run.py test [ARGS]    runs the whole test suite, in up to four processes (with ARGS, pytest does what they say, in one)
python3 run.py COMMAND ...    any command of ddi-inspector: info, dump, state, image, convert, report, ...
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
MOST_TEST_PROCESSES = 4
TESTS_FAILED, FEW_FAILED = 1, 5  # pytest's exit code; more than this many failed for a reason
LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")
WARM_UP = "from core.kernels import warm_up; warm_up.PAUSE = 0; warm_up.warm_up()"
BUILT_IN_REPORT = "ddi-inspector-report.html"
OLDEST_PYTHON, NEWEST_PYTHON = (3, 11), (3, 14)  # as pyproject.toml; the newest is that of numba

# what the tests compare against -> Debian package, and what is left out without it
TEST_TOOLS = {
    "git": ("git", "the check for files that should not be there"),
    "gcc": ("gcc", "tests that compile C"),
    "i686-w64-mingw32-gcc": ("gcc-mingw-w64-i686", "constants and layouts against mingw-w64's headers"),
    "Xvfb": ("xvfb", "the window on a real X server"),
    "openbox": ("openbox", "tasks in a real window, with a window manager"),
    "xdotool": ("xdotool", "tasks in a real window, by mouse and by keyboard"),
}
HEADERS = {
    Path("/usr/share/mingw-w64/include/d3d8.h"): "mingw-w64-common",
    Path("/usr/include/stdlib.h"): "libc6-dev",
}


def main(arguments: list[str]) -> int:
    if wrong := wrong_python():
        return fail(wrong)
    testing = arguments[:1] == ["test"]
    offer_system_packages(testing, testing or opens_window(arguments))
    python = environment("requirements-test.lock" if testing else "requirements.lock")
    if testing:
        return run_tests(python, arguments[1:])
    from ui import display

    if not arguments and not display.has_display():
        say(f"No display here: writing the headless report of the built-in capture to {BUILT_IN_REPORT}")
        return inspector(python, "report", "--output", BUILT_IN_REPORT)
    return inspector(python, *(arguments or ["open"]))


def wrong_python() -> str:
    """Why this Python cannot be used; "" if it can."""
    if not OLDEST_PYTHON <= sys.version_info[:2] <= NEWEST_PYTHON:
        oldest, newest = (".".join(map(str, version)) for version in (OLDEST_PYTHON, NEWEST_PYTHON))
        return f"Python {oldest} to {newest} is needed; this is {sys.version.split()[0]}."
    if sys.maxsize < 1 << 32:
        return "a 64-bit Python is needed; this one is 32-bit."
    return ""


def say(text: str) -> None:
    print(f"ddi-inspector: {text}", flush=True)


def fail(text: str) -> int:
    print(f"ddi-inspector: {text}", file=sys.stderr, flush=True)
    return 2


# ---- running -------------------------------------------------------------------------------------------------------


def opens_window(arguments: list[str]) -> bool:
    return not arguments or arguments[0] == "open" or Path(arguments[0]).exists()


def project_environment() -> dict[str, str]:
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"}
    if settings.pop("PYTHONDONTWRITEBYTECODE", None):
        # elsewhere than beside the sources: without bytecode, a start takes half a second more
        settings.setdefault("PYTHONPYCACHEPREFIX", str(VENV / "bytecode"))
    return settings


def inspector(python: Path, *arguments: str) -> int:
    return subprocess.call([str(python), "-m", "inspector.cli", *arguments], env=project_environment())


def run_tests(python: Path, arguments: list[str]) -> int:
    settings = project_environment()
    settings.setdefault("QT_QPA_PLATFORM", "offscreen")
    settings.setdefault("DDI_CAPTURES", str(ROOT.parent / "shared" / "captures"))
    command = [str(python), "-m", "pytest"]
    if not arguments:
        say("compiling kernels and tests (once)")
        compile_once(python, command, settings)
    code = subprocess.call([*command, *(arguments or side_by_side())], cwd=ROOT, env=settings)
    return code if arguments or code != TESTS_FAILED else run_alone(command, settings)


def compile_once(python: Path, command: list[str], settings: dict[str, str]) -> None:
    """Or else every process of pytest would compile the kernels, and all modules that it imports while it collects tests."""
    collecting = None
    if not has_bytecode(settings):
        collect = [*command, "--collect-only", "-q", "-p", "no:cacheprovider"]
        collecting = subprocess.Popen(collect, cwd=ROOT, env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.call([str(python), "-c", WARM_UP], cwd=ROOT, env=settings)
    if collecting:
        collecting.wait()


def has_bytecode(settings: dict[str, str]) -> bool:
    """Whether the tests have been imported before."""
    elsewhere = settings.get("PYTHONPYCACHEPREFIX")
    return (Path(elsewhere, *ROOT.parts[1:], "tests") if elsewhere else ROOT / "tests" / "__pycache__").is_dir()


def run_alone(command: list[str], settings: dict[str, str]) -> int:
    """Runs the few tests that failed beside others once more.  Those that pass alone depend on time or order: it names them."""
    failed = sorted(json.loads((ROOT / LAST_FAILED).read_text(encoding="utf-8")))
    if len(failed) > FEW_FAILED:
        return TESTS_FAILED
    say(f"{len(failed)} failed; once more, without others beside them")
    code = subprocess.call([*command, *failed], cwd=ROOT, env=settings)
    if code == 0:
        say("unsteady tests, which failed above and pass alone; each is a defect of the test or of what it tests:")
        for name in failed:
            say(name)
    return code


def side_by_side() -> list[str]:
    """Arguments for pytest: a process more than cores, four at most (each holds up to 1.5 GB), because tests of the window wait
    more than they compute; a file's tests stay together, and files begin in the order that tests/conftest.py puts them in."""
    processes = min((os.cpu_count() or 1) + 1, MOST_TEST_PROCESSES)
    return ["-n", str(processes), "--dist", "loadfile", "--no-loadscope-reorder"]


# ---- the Python environment ----------------------------------------------------------------------------------------


def environment(lock: str) -> Path:
    """The interpreter of `.venv`, which holds exactly what the lock file says."""
    wanted = hashlib.sha256((ROOT / lock).read_bytes()).hexdigest()
    stamp = VENV / f"{lock}.installed"
    if PYTHON.exists() and stamp.exists() and stamp.read_text() == wanted:
        return PYTHON
    say(f"setting up {VENV} (once; needs the network)")
    uv = shutil.which("uv")
    if not PYTHON.exists():
        create_environment(uv)
    install = [uv, "pip", "install", "--python", str(PYTHON)] if uv else [str(PYTHON), "-m", "pip", "install"]
    quiet = ["--quiet", "--compile-bytecode"] if uv else ["--quiet", "--disable-pip-version-check"]
    if subprocess.call([*install, *quiet, "--require-hashes", "-r", str(ROOT / lock)]) != 0:
        sys.exit(fail(f"the packages of {lock} could not be installed; see above. Run it again to retry."))
    stamp.write_text(wanted)
    return PYTHON


def create_environment(uv: str | None) -> None:
    if uv:
        done = subprocess.call([uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(VENV)]) == 0
    else:
        try:
            venv.create(VENV, with_pip=True, clear=VENV.exists())
            done = True
        except (OSError, subprocess.CalledProcessError, SystemExit):
            done = False
    if not done:
        hint = " Debian and Ubuntu: apt-get install python3-venv" if shutil.which("apt-get") else ""
        sys.exit(fail(f"{VENV} could not be created.{hint}"))


# ---- Debian and Ubuntu system packages -----------------------------------------------------------------------------


def offer_system_packages(testing: bool, window: bool) -> None:
    """Installs what is missing when root on Debian or Ubuntu, asking first on a terminal; names it otherwise."""
    if not sys.platform.startswith("linux"):
        return
    missing = missing_packages(testing, window)
    if missing and shutil.which("apt-get") and os.geteuid() == 0 and agreed(missing):
        say(f"installing system packages: {' '.join(missing)}")
        apt("update")
        apt("install", "--yes", "--no-install-recommends", *missing)
        missing = missing_packages(testing, window)
    if missing:
        say(f"missing on this system: {' '.join(missing)}" + advice(missing))
    if testing:
        report_missing_tools()


def agreed(packages: list[str]) -> bool:
    """Asks, where someone can answer; Enter is yes."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        return True
    try:
        answer = input(f"ddi-inspector: install these system packages with apt-get? {' '.join(packages)} [Y/n] ")
    except EOFError:
        return False
    return answer.strip().lower() in ("", "y", "yes")


def advice(packages: list[str]) -> str:
    return f"\n    as root: apt-get install {' '.join(packages)}" if shutil.which("apt-get") else ""


def apt(*arguments: str) -> None:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.call(["apt-get", "-qq", *arguments], env=quiet, stdout=subprocess.DEVNULL)


def missing_packages(testing: bool, window: bool) -> list[str]:
    from ui import display  # an older Python could not read it

    packages = [display.QT_LIBRARIES[library] for library in display.missing_libraries()] if window else []
    if window and not any(Path("/usr/share/fonts").glob("**/*.[to]tf")):
        packages.append("fonts-dejavu-core")
    if (testing or not (PYTHON.exists() or shutil.which("uv"))) and not can_make_environments():
        packages.append("python3-venv")
    if testing:
        packages += [package for tool, (package, _) in TEST_TOOLS.items() if not shutil.which(tool)]
        packages += [package for header, package in HEADERS.items() if not header.exists()]
    return packages


def can_make_environments() -> bool:
    return subprocess.call([sys.executable, "-c", "import ensurepip"], stderr=subprocess.DEVNULL) == 0


def report_missing_tools() -> None:
    missing = {tool: left_out for tool, (_, left_out) in TEST_TOOLS.items() if not shutil.which(tool)}
    for tool, left_out in missing.items():
        say(f"without {tool} these are skipped: {left_out}")
    if missing and os.environ.get("CI") == "true":
        sys.exit(fail("with CI=true a missing tool is a failure"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
