"""A Dask address that strangers answer, and clusters whose answers are none: a sentence each, in bounded time."""

from __future__ import annotations

import contextlib
import gc
import queue
import random
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import BadInput
from inspector.cli import batch, main
from inspector.cli.batch import ENDED, Done, on_dask
from tests.inspector.conftest import ROOM


def frames(*sizes: int, body: bytes = b"") -> bytes:
    """What Dask sends before its frames: how many, how long."""
    return struct.pack(f"<{1 + len(sizes)}Q", len(sizes), *sizes) + body


NONSENSE = {
    "nothing": None,
    "the end": b"",
    "a web page": b"HTTP/1.0 200 OK\r\n\r\nhello",
    "zeros": bytes(100_000),
    "noise": random.Random(1).randbytes(100_000),
    "2**60 frames": struct.pack("<QQ", 1 << 60, 1 << 60),
    "a list": struct.pack("<Q", 20) + frames(4, body=b"\x93\x01\x02\x03"),
    "an empty table": struct.pack("<Q", 17) + frames(1, body=b"\x80"),
}


@contextlib.contextmanager
def peer(data: bytes | None) -> Iterator[str]:
    """The address of something that says `data` and hangs up; None: that says nothing and stays."""
    over = threading.Event()

    def talk(connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            if data:
                connection.sendall(data)
            if data is None:
                over.wait()

    def listen() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=talk, args=(server.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=listen, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        over.set()


@pytest.fixture
def no_thread_is_left() -> Iterator[None]:
    """And no client to the collector, which would wait for its thread on any thread of ours."""
    before = set(threading.enumerate())
    gc.disable()
    yield
    late = [thread for thread in threading.enumerate() if thread not in before and thread.name == "IO loop"]
    for thread in late:
        thread.join(60)
    gc.enable()
    assert not any(thread.is_alive() for thread in late)


@pytest.mark.usefixtures("no_thread_is_left")
@pytest.mark.parametrize("name", NONSENSE)
def test_what_is_no_scheduler_is_one_sentence(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(batch, "ANSWERS", 1.0)
    with peer(NONSENSE[name]) as address:
        assert main(["batch", "info", str(ROOM), "--dask", address]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(f"ddi-inspector: --dask {address}: no Dask scheduler: ")


@pytest.mark.usefixtures("no_thread_is_left")
@pytest.mark.parametrize(
    "address", ["", "  ", "host", "tcp://", "tls://127.0.0.1:1", "ucx://a:1", "http://a", f"tcp://{'a' * 3000}:1"]
)
def test_what_is_no_address_is_one_sentence(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(batch, "ANSWERS", 1.0)
    assert main(["batch", "info", str(ROOM), "--dask", address]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("ddi-inspector: --dask ") and "no Dask scheduler" in said and len(said) < 500


class Speechless(Exception):
    """Of a class that cannot even say what it is."""

    def __str__(self) -> str:
        raise ValueError


def raises(error: Exception) -> Callable[[], Any]:
    def ask() -> Any:
        raise error

    return ask


def future(key: object, given: object = None, failed: object = None) -> SimpleNamespace:
    return SimpleNamespace(key=key, result=lambda: given, exception=lambda: failed)


RIGHT = Done("a", 0, "out\n", "")
ANSWERS: dict[str, tuple[SimpleNamespace, str]] = {
    "nothing": (future(0), "false answer"),
    "a text": (future(0, "0"), "false answer"),
    "a tuple that looks right": (future(0, tuple(RIGHT)), "false answer"),
    "bytes for text": (future(0, RIGHT._replace(out=b"out")), "false answer"),
    "truth for a code": (future(0, RIGHT._replace(code=True)), "false answer"),
    "a code that no process has": (future(0, RIGHT._replace(code=1 << 80)), "false answer"),
    "a negative code": (future(0, RIGHT._replace(code=-1)), "false answer"),
    "an error": (future(0, failed=ValueError("lost\nand more")), "lost"),
    "an error without a text": (future(0, failed=Speechless()), "Speechless"),
    "a long error": (future(0, failed=ValueError("x" * 10_000)), "x" * 200),
    "nothing but an error": (SimpleNamespace(key=0, exception=raises(KeyError("gone")), result=raises(OSError())), "gone"),
    "a result that raises": (SimpleNamespace(key=0, exception=lambda: None, result=raises(OSError("torn"))), "torn"),
}


class Cluster:
    """In the place of `distributed`: says so of the futures it was given."""

    def __init__(self, completed: Callable[[], Iterator[Any]], submit: Callable[[], Any] | None = None) -> None:
        self._completed, self._submit, self._count, self.closed = completed, submit, 0, 0

        outer = self

        class Client:
            def __init__(self, address: str, timeout: str) -> None:
                self.submit, self.close = outer.submit, outer.close

        self.Client = Client

    def submit(self, *_: object, **more: object) -> Any:
        if self._submit:
            return self._submit()
        self._count += 1
        return future(self._count - 1)

    def as_completed(self, futures: object) -> Iterator[Any]:
        return self._completed()

    def close(self, timeout: float) -> None:
        self.closed += 1
        raise OSError("the connection is gone")


def answers(monkeypatch: pytest.MonkeyPatch, cluster: Cluster, count: int = 1) -> list[Done]:
    monkeypatch.setitem(sys.modules, "distributed", cluster)
    found = dict(on_dask([["info", f"file {n}"] for n in range(count)], "tcp://a:1"))
    assert sorted(found) == list(range(count)) and cluster.closed == 1
    assert [found[n].file for n in range(count)] == [f"file {n}" for n in range(count)]
    return [found[n] for n in range(count)]


@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_no_answer_is_reported(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given, said = ANSWERS[name]
    (found,) = answers(monkeypatch, Cluster(lambda: iter([given])))
    assert (found.code, found.out) == (ENDED, "") and said in found.err and found.err.count("\n") == 1 and len(found.err) < 300


def test_right_answers_are_kept_whatever_comes_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def completed() -> Iterator[Any]:
        yield future("another's", RIGHT)
        yield future(1, RIGHT)
        yield future(1, RIGHT._replace(out="again"))
        raise ConnectionError("lost")

    first, second = answers(monkeypatch, Cluster(completed), 2)
    assert second == RIGHT._replace(file="file 1")
    assert (first.code, first.err) == (ENDED, "file 0: the cluster is gone: lost\n")


def test_files_without_an_answer_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    for cluster in (Cluster(lambda: iter([])), Cluster(lambda: iter([]), raises(TypeError("refused")))):
        found = answers(monkeypatch, cluster, 3)
        assert [one.code for one in found] == [ENDED] * 3 and all("the cluster " in one.err for one in found)


@pytest.mark.parametrize("fails", [False, True])
def test_a_client_that_connects_too_late_is_closed_where_it_arrives(fails: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its thread would wait for the collector otherwise, or the collector for it."""
    late, stopped = threading.Event(), threading.Event()

    class Client:
        closed_by = ""

        def __init__(self, address: str, timeout: str) -> None:
            self._loop_runner = SimpleNamespace(stop=stopped.set)
            late.wait(60)
            if fails:
                raise OSError("refused")

        def close(self, timeout: float) -> None:
            Client.closed_by = threading.current_thread().name

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Client))
    monkeypatch.setattr(batch, "ANSWERS", 0.01)
    with pytest.raises(BadInput, match="it does not answer"):
        batch.connected("tcp://a:1")
    assert not Client.closed_by
    late.set()
    assert stopped.wait(60) and Client.closed_by not in ("", threading.current_thread().name)


def test_a_client_that_connects_as_the_limit_ends_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has been handed over when the wait for it ends."""

    class Queue(queue.Queue):
        def get(self, block: bool = True, timeout: float | None = None) -> Any:
            found = super().get(timeout=60)
            if timeout is None:
                return found
            self.put(found)
            raise queue.Empty

    made: list[Any] = []
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=type("Client", (), {
        "__init__": lambda self, address, timeout: made.append(self)})))  # fmt: skip
    monkeypatch.setattr(batch, "queue", SimpleNamespace(Queue=Queue, Empty=queue.Empty))
    assert batch.connected("tcp://a:1") is made[0]
