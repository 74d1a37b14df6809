"""One command over many captures: here, in many processes, some of which are killed, and on a cluster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import inspector
from core.errors import BadInput
from inspector.cli import main
from inspector.cli.batch import ENDED, Done, matching, on_cores, words_of
from tests.inspector.conftest import ROOM

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = sorted((ROOM.parent / "samples").glob("*.ddicap"))[:3]


def test_every_file_gets_its_own_words() -> None:
    words = words_of("verify", Path("traces/a.trace"), ["--per", "frame", "-o", "{folder}/{name}.json"])
    assert words == ["verify", str(Path("traces/a.trace")), "--per", "frame", "-o", f"{Path('traces')}/a.json"]


def test_a_name_that_begins_with_a_hyphen_is_no_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "--json").write_bytes(ROOM.read_bytes())
    monkeypatch.chdir(tmp_path)
    assert main(words_of("info", Path("--json"), [])) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["file", "--json"]


def test_names_of_strangers_name_no_folders_and_no_options() -> None:
    """`...trace` has the stem `..`: pictures `-o out/{name}` would be written beside `out`."""
    assert words_of("textures", Path("a/...trace"), ["-o", "out/{name}"])[2:] == ["-o", "out/...trace"]
    assert words_of("textures", Path("b/{folder}.trace"), ["-o", "out/{name}"])[2:] == ["-o", "out/{folder}"]
    assert words_of("image", Path("-o.trace"), ["{name}", "--json"])[2:] == [os.path.join(".", "-o"), "--json"]


def test_patterns_stand_for_the_files_that_they_match(tmp_path: Path) -> None:
    for name in ("b.trace", "a.trace", "[1].trace", "a.txt"):
        (tmp_path / name).touch()
    found = matching([tmp_path / "?.trace", tmp_path / "[1].trace"])
    assert [file.name for file in found] == [
        "a.trace",
        "b.trace",
        "[1].trace",
    ]
    with pytest.raises(BadInput, match="no file matches"):
        matching([tmp_path / "*.ddicap"])


def test_answers_come_in_the_order_of_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "none.ddicap"
    files = [*map(str, SAMPLES[:2]), str(missing)]
    assert main(["batch", "info", *files, "--jobs", "2", "--json", "--", "--json"]) == 2
    rows = json.loads(capsys.readouterr().out)
    assert [row["file"] for row in rows] == files and [row["code"] for row in rows] == [0, 0, 2]
    for row, path in zip(rows[:2], SAMPLES, strict=False):
        with inspector.open(path) as capture:
            assert json.loads(row["out"])["events"] == len(capture.events)
    assert "none.ddicap: " in rows[2]["err"]
    assert main(["batch", "lunch", "x"]) == 2
    assert main(["batch", "open", "x"]) == 2


def test_a_process_that_ends_costs_only_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text("import os\nos._exit(3)\n", "utf-8")
    (tmp_path / "harmless.py").write_text("print('here')\n", "utf-8")
    work = [["python", str(tmp_path / name)] for name in ("harmless.py", "deadly.py", "harmless.py")]
    done: dict[int, Done] = dict(on_cores(work, 2))
    assert [done[place].code for place in range(3)] == [0, ENDED, 0]
    assert done[0].out == done[2].out == "here\n" and "the process ended 3 times" in done[1].err


HELD = """
import os, sys, time
if os.getpid() == {doomed}:
    open({begun!r}, "w").close()
    time.sleep(60)
while not os.path.exists({begun!r}):
    time.sleep(0.01)
print("done", sys.argv[1])
"""


def begins(begun: Path) -> None:
    """Waits for the file."""
    end = time.monotonic() + 60
    while not begun.exists() and time.monotonic() < end:
        time.sleep(0.01)


@pytest.mark.skipif(os.name == "nt", reason="ends processes by signal")
def test_a_cluster_that_loses_a_worker_loses_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    distributed = pytest.importorskip("distributed")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    cluster = distributed.LocalCluster(n_workers=0, processes=True, dashboard_address=None, scheduler_port=0)
    with cluster:
        command = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address, "--nworkers", "1",
                   "--nthreads", "1", "--no-dashboard", "--no-nanny"]  # fmt: skip
        workers = [subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, cwd=tmp_path) for _ in range(2)]
        try:
            with distributed.Client(cluster) as client:
                client.wait_for_workers(2, timeout=60)
            (tmp_path / "work.py").write_text(HELD.format(begun=str(tmp_path / "begun"), doomed=workers[0].pid), "utf-8")
            killer = threading.Thread(target=lambda: (begins(tmp_path / "begun"), workers[0].send_signal(signal.SIGKILL)))
            killer.start()
            from inspector.cli.batch import on_dask

            work = [["python", str(tmp_path / "work.py"), str(number)] for number in range(8)]
            done = dict(on_dask(work, cluster.scheduler_address))
            killer.join()
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()
    assert (tmp_path / "begun").exists(), "it was killed while it worked"
    assert [done[place].out for place in range(8)] == [f"done {place}\n" for place in range(8)]
