"""The cache folder is the user's alone, or another one is taken, and a sentence says why."""

from __future__ import annotations

import itertools
import os
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from core import folders
from core.folders import user_folder
from core.sources import PROJECT

OTHER_USER = 65534

owners = pytest.mark.skipif(not folders.OWNERS, reason="no owners on Windows")
root_only = pytest.mark.skipif(not folders.OWNERS or os.geteuid() != 0, reason="only root can give folders away")


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was said is said again; the platform's folder is one of the test."""
    folders._refuse.cache_clear()
    folders._temporary.cache_clear()
    monkeypatch.setattr(folders, "_of_the_platform", lambda: tmp_path / "platform" / "ddi-inspector")


@pytest.fixture
def chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "chosen"))
    return tmp_path / "chosen"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_all_kinds_lie_in_one_folder(chosen: Path) -> None:
    assert [user_folder(kind) for kind in ("kernels", "derived")] == [chosen / "kernels", chosen / "derived"]


def test_without_a_choice_it_is_that_of_the_platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DDI_INSPECTOR_CACHE", raising=False)
    assert user_folder("kernels") == tmp_path / "platform" / "ddi-inspector" / "kernels"


@pytest.mark.parametrize("system, variables, expected", [
    ("linux", {"XDG_CACHE_HOME": "/c"}, "/c/ddi-inspector"),
    ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/me/.cache/ddi-inspector"),  # XDG: relative paths are ignored
    ("linux", {}, "/home/me/.cache/ddi-inspector"),
    ("darwin", {"XDG_CACHE_HOME": "/c"}, "/home/me/Library/Caches/ddi-inspector"),
    ("win32", {"LOCALAPPDATA": "/local"}, "/local/ddi-inspector/Cache"),
    ("win32", {}, "/home/me/AppData/Local/ddi-inspector/Cache"),
])  # fmt: skip
@owners
def test_the_folder_of_each_platform(system: str, variables: dict, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/me", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(folders.sys, "platform", system)
    assert folders._of_the_platform() == Path(expected)


@owners
def test_new_folders_are_private_whatever_the_mask(chosen: Path) -> None:
    before = os.umask(0)
    try:
        folder = user_folder("derived")
    finally:
        os.umask(before)
    assert (mode(folder), mode(chosen)) == (0o700, 0o700)


@owners
def test_what_others_could_read_becomes_private(chosen: Path) -> None:
    (chosen / "kernels").mkdir(parents=True)
    (chosen / "kernels").chmod(0o755)
    chosen.chmod(0o755)
    assert mode(user_folder("kernels")) == 0o700
    assert mode(chosen) == 0o755  # somebody chose it: it may be for other things, too


def refused(caplog: pytest.LogCaptureFixture, tmp_path: Path, reason: str) -> None:
    assert user_folder("kernels") == tmp_path / "platform" / "ddi-inspector" / "kernels"
    user_folder("derived")
    (said,) = caplog.messages  # once
    assert said.startswith(f"{tmp_path / 'chosen'} is not used as the cache folder: ") and reason in said


@owners
@pytest.mark.parametrize("bits", [0o770, 0o702, 0o1777])
@pytest.mark.parametrize("inside", ["", "kernels"])
def test_a_folder_that_others_can_write_to(
    bits: int, inside: str, chosen: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (chosen / inside).mkdir(parents=True)
    (chosen / inside).chmod(bits)
    if inside:
        assert user_folder("kernels") == tmp_path / "platform" / "ddi-inspector" / "kernels"
        assert f"others can write to {chosen / inside}" in caplog.text
    else:
        refused(caplog, tmp_path, f"others can write to {chosen}")
    assert mode(chosen / inside) == bits and list((chosen / inside).iterdir()) == []


@root_only
@pytest.mark.parametrize("inside", ["", "kernels"])
def test_a_folder_of_another_user(inside: str, chosen: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (chosen / inside).mkdir(parents=True, mode=0o700)
    os.chown(chosen / inside, OTHER_USER, OTHER_USER)
    assert user_folder("kernels") == tmp_path / "platform" / "ddi-inspector" / "kernels"
    assert f"{chosen / inside} belongs to another user" in caplog.text
    assert list((chosen / inside).iterdir()) == []


@root_only
def test_a_link_to_a_folder_of_another_user(chosen: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "theirs").mkdir(mode=0o700)
    os.chown(tmp_path / "theirs", OTHER_USER, OTHER_USER)
    chosen.symlink_to(tmp_path / "theirs")
    refused(caplog, tmp_path, f"{chosen} belongs to another user")


@owners
def test_a_folder_that_everybody_could_replace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                               caplog: pytest.LogCaptureFixture) -> None:  # fmt: skip
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "open" / "mine"))
    assert user_folder("kernels").is_relative_to(tmp_path / "platform")
    assert f"everybody can write to {tmp_path / 'open'}" in caplog.text
    (tmp_path / "open").chmod(0o1777)  # as /tmp: only the owner of a folder can rename it
    assert user_folder("kernels") == tmp_path / "open" / "mine" / "kernels"


def test_a_file_where_the_folder_would_be(chosen: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    chosen.write_text("a file", encoding="utf-8")
    refused(caplog, tmp_path, "exist")


# ---- nowhere to write --------------------------------------------------------------------------

NOWHERE = """
import os, stat, sys
from pathlib import Path
from core import folders
file = Path(sys.argv[1])
os.environ["DDI_INSPECTOR_CACHE"] = str(file)
folders._of_the_platform = lambda: file
one, two = folders.user_folder("kernels"), folders.user_folder("derived")
assert one.parent == two.parent and one.is_dir() and two.is_dir()
print(oct(stat.S_IMODE(one.parent.stat().st_mode)), one.parent)
"""


def test_a_temporary_folder_is_of_this_process_alone_and_goes_with_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file", encoding="utf-8")
    found = set()
    for _ in range(2):
        command = [sys.executable, "-c", NOWHERE, str(tmp_path / "file")]
        done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
        bits, folder = done.stdout.split(maxsplit=1)
        assert (bits == "0o700" or not folders.OWNERS) and not Path(folder.strip()).exists(), done.stderr
        assert done.stderr.count("is not used as the cache folder") == 1
        found.add(folder)
    assert len(found) == 2


# ---- turns


def test_a_turn_ends_when_the_other_one_leaves(chosen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "PATIENCE", 0.0)
    with folders.in_turn("a thing") as mine, folders.in_turn("a thing") as again, folders.in_turn("another thing") as other:
        assert (mine, again, other) == (True, False, True)
    with folders.in_turn("a thing") as mine:
        assert mine


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_who_is_killed_in_its_turn_keeps_nobody_waiting(chosen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "PATIENCE", 0.0)
    command = [sys.executable, "-m", "tests.soak.writers", "turn", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=PROJECT, text=True) as child:
        assert child.stdout is not None and child.stdout.readline() == "begun\n"
        with folders.in_turn("a thing") as mine:
            assert not mine
        child.kill()
        child.wait()
        with folders.in_turn("a thing") as mine:
            assert mine


class WindowsLocks:
    """The part of `msvcrt` that locks, as its documentation has it: bytes from the file's position on, for one open file.

    LK_NBLCK raises OSError at once where another one has any of them, LK_LOCK after ten seconds; closing the file ends it.
    """

    LK_UNLCK, LK_LOCK, LK_NBLCK = 0, 1, 2

    def __init__(self) -> None:
        self.held: dict[tuple[int, int], int] = {}  # (file, byte) -> descriptor
        self.looks = 0

    def locking(self, descriptor: int, mode: int, count: int) -> None:
        self.looks += 1
        file, at = os.fstat(descriptor).st_ino, os.lseek(descriptor, 0, os.SEEK_CUR)
        places = [(file, byte) for byte in range(at, at + count)]
        if mode == self.LK_UNLCK:
            for place in places:
                del self.held[place]
            return
        if mode == self.LK_LOCK:
            raise AssertionError("this one keeps its caller for ten seconds")
        if any(self.is_open(holder, file) for place in places if (holder := self.held.get(place, descriptor)) != descriptor):
            raise PermissionError(13, "Permission denied")
        self.held.update((place, descriptor) for place in places)

    @staticmethod
    def is_open(descriptor: int, file: int) -> bool:
        try:
            return os.fstat(descriptor).st_ino == file
        except OSError:
            return False


def test_turns_on_windows(chosen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    windows = WindowsLocks()
    monkeypatch.setitem(sys.modules, "msvcrt", windows)
    monkeypatch.setattr(folders, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(folders, "PATIENCE", 5.0)
    clock = itertools.count()
    monkeypatch.setattr(folders, "time", SimpleNamespace(monotonic=lambda: next(clock), sleep=lambda seconds: None))
    for _ in range(2):
        with folders.in_turn("a thing") as mine:
            for lock in (chosen / "turns").glob("*.lock"):
                lock.write_bytes(b"somebody wrote into it")  # the next one that opens it to append stands elsewhere
            looks = windows.looks
            with folders.in_turn("a thing") as again, folders.in_turn("another thing") as other:
                assert (mine, again, other) == (True, False, True)
            assert windows.looks > looks + 2, "it was waited for"
            assert {at for _, at in windows.held} == {0}
    assert not any(windows.is_open(descriptor, file) for (file, _), descriptor in windows.held.items())


def test_without_a_place_for_locks_nobody_waits(chosen: Path) -> None:
    (chosen / "turns").mkdir(parents=True)
    for number in range(folders.TURNS):
        (chosen / "turns" / f"{number}.lock").mkdir()
    with folders.in_turn("a thing") as mine:
        assert not mine
