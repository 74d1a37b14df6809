"""Mesa's llvmpipe as a child process: llvmpipe.c, compiled with gcc, draws what it is asked to and says how long it took."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

SOURCE = Path(__file__).with_name("llvmpipe.c")


class Peer:
    """llvmpipe with so many threads beside its own; `reason` says why it is not there, if it is not."""

    def __init__(self, frame: bytes, threads: int) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.child: subprocess.Popen[str] | None = None
        self.reason = ""
        program, path = str(Path(self.folder.name) / "llvmpipe"), Path(self.folder.name) / "frame"
        path.write_bytes(frame)
        if not shutil.which("gcc"):
            self.reason = "no gcc"
            return
        done = subprocess.run(["gcc", "-O2", "-o", program, str(SOURCE), "-lEGL", "-lGL", "-lm"], capture_output=True,
                              text=True, check=False)  # fmt: skip
        if done.returncode:
            self.reason = "llvmpipe.c does not compile here: no EGL or OpenGL headers"
            return
        self.child = subprocess.Popen([program, str(path)], env={**os.environ, "LP_NUM_THREADS": str(threads)}, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
        if self.seconds("gouraud+z", "large") is None:
            self.reason = "EGL gives no context without a window"

    def seconds(self, scene: str, shape: str) -> tuple[float, float] | None:
        """(CPU, wall) of drawing a scene's shape once; None without llvmpipe."""
        if self.child is None or self.child.stdin is None or self.child.stdout is None:
            return None
        try:
            self.child.stdin.write(f"{scene}|{shape}\n")
            self.child.stdin.flush()
        except OSError:
            self.child = None
            return None
        answer = self.child.stdout.readline().split()
        if len(answer) != 2:
            self.child = None
            return None
        return float(answer[0]), float(answer[1])

    def close(self) -> None:
        """Ends the child."""
        if self.child is not None:
            self.child.communicate()
        self.folder.cleanup()
