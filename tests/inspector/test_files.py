"""One way to write a file: complete or not at all, through links, into devices, to standard output."""

from __future__ import annotations

import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from core.errors import BadInput
from inspector.files import write_bytes, write_file

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="devices, links and permissions of POSIX")


def test_a_file_is_there_completely(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    assert write_bytes(path, b"one") == 3
    assert write_bytes(path, b"and two") == 7
    assert path.read_bytes() == b"and two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_writer_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(b"good")

    def half(part: Path) -> None:
        part.write_bytes(b"ba")
        raise OSError(28, "No space left on device")

    with pytest.raises(BadInput, match=r"^cannot write .*x\.bin: No space left on device$"):
        write_file(path, half)
    assert path.read_bytes() == b"good"
    assert list(tmp_path.iterdir()) == [path]

    def refused(part: Path) -> None:
        raise BadInput(f"{part}: cannot create it: the disk is full")

    with pytest.raises(BadInput, match=r"x\.bin: cannot create it: the disk is full$"):
        write_file(path, refused)


@pytest.mark.parametrize("name", ["no/such/x.bin", "folder"])
def test_where_no_file_can_be_is_one_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadInput, match="cannot write "):
        write_bytes(tmp_path / name, b"x")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder"]


@POSIX
def test_links_are_followed_and_stay(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    there, link, open_end = tmp_path / "elsewhere" / "there", tmp_path / "link", tmp_path / "open end"
    there.write_bytes(b"old")
    link.symlink_to(Path("elsewhere") / "there")
    open_end.symlink_to(tmp_path / "elsewhere" / "new")
    write_bytes(link, b"new")
    write_bytes(open_end, b"newer")
    assert link.is_symlink() and there.read_bytes() == b"new"
    assert open_end.is_symlink() and (tmp_path / "elsewhere" / "new").read_bytes() == b"newer"
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    with pytest.raises(BadInput, match=r"cannot write .*circle: "):
        write_bytes(circle, b"x")


@POSIX
def test_permissions_stay(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(b"")
    path.chmod(0o640)
    write_bytes(path, b"x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@POSIX
def test_a_device_is_written_to_and_stays_one(tmp_path: Path) -> None:
    """A link stands for the device: with a writer that replaces, it would be the link that is lost."""
    nothing, full = tmp_path / "nothing", tmp_path / "full"
    nothing.symlink_to("/dev/null")
    full.symlink_to("/dev/full")
    write_bytes(nothing, b"x")
    assert nothing.is_symlink() and nothing.is_char_device()
    if full.exists():
        with pytest.raises(BadInput, match=r"cannot write .*full: No space left on device"):
            write_bytes(full, b"x")
        assert full.is_symlink() and full.is_char_device()


@POSIX
def test_a_pipe_gets_the_bytes(tmp_path: Path) -> None:
    path, heard = tmp_path / "pipe", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: heard.append(path.read_bytes()))
    reader.start()
    write_bytes(path, b"x" * 100_000)
    reader.join()
    assert heard == [b"x" * 100_000]
    assert stat.S_ISFIFO(path.stat().st_mode)


@pytest.mark.parametrize("name", ["-", *(["/dev/stdout"] if sys.platform != "win32" else [])])
def test_standard_output(name: str, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert write_bytes(Path(name), b"\x00\r\n\xff") == 4
    assert capfdbinary.readouterr().out == b"\x00\r\n\xff"
    assert not list(tmp_path.iterdir())
