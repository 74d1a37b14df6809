"""A Wine for programs of the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def wine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a Wine with a prefix and a display of its own."""
    if not shutil.which("wine") or not shutil.which("Xvfb"):
        pytest.skip("needs Wine and Xvfb (Debian: apt-get install wine xvfb)")
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writing)], pass_fds=[writing], stderr=subprocess.DEVNULL)
    display = os.read(reading, 9).decode().strip()
    own = {
        "DISPLAY": f":{display}",
        "WINEPREFIX": str(tmp_path_factory.mktemp("prefix") / "wine"),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree,mshtml=",
        "PYTHONPATH": str(ROOT),
    }
    environment = {**os.environ, **own}
    try:
        subprocess.run(["wineboot", "--init"], env=environment, capture_output=True, check=False, timeout=300)
        yield environment
    finally:
        subprocess.run(["wineserver", "--kill"], env=environment, capture_output=True, check=False)
        server.terminate()
        server.wait()
        os.close(reading)
        os.close(writing)
