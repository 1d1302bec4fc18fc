"""Ctrl-C and SIGTERM end a run at once, with one line, and leave no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc")

BUG = "import tensorflow as tf\n\ny = tf.matmul(tf.zeros([2, 3]), tf.zeros([5, 7]))\n"
LONG = "import numpy as np\nx = np.zeros((2, 3))\n" + "".join(
    f"def f{number}(a, n):\n    for i in range(n):\n        a = np.reshape(a, (i, {number} + n)) @ a\n    return a\n"
    f"f{number}(x, {number})\n"
    for number in range(3000)
)

Begin = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def mark() -> str:
    return uuid.uuid4().hex


@pytest.fixture
def begin(tmp_path: Path, mark: str) -> Iterator[Begin]:
    """Start the command on files; remaining processes are killed afterwards."""
    (tmp_path / "bug.py").write_text(BUG)
    (tmp_path / "long.py").write_text(LONG)
    (tmp_path / "longer.py").write_text(LONG + LONG)

    def started(*arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "shapecheck", *arguments, "--no-cache"],
            cwd=tmp_path,
            env={**os.environ, "SHAPECHECK_MARK": mark},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # which a job may ignore
        )

    yield started
    for number in marked(mark):
        os.kill(number, signal.SIGKILL)


def marked(mark: str) -> list[int]:
    """Return the processes that have the mark in their environment, without those that have ended."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            try:
                if mark.encode() in (process / "environ").read_bytes():
                    found.append(int(process.name))
            except OSError:
                continue
    return found


def wait_for(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize(
    ("number", "status", "told"),
    [(signal.SIGINT, 130, "shapecheck: interrupted"), (signal.SIGTERM, 143, "shapecheck: terminated")],
    ids=["interrupt", "terminate"],
)
@pytest.mark.parametrize(
    ("arguments", "processes"),
    [(["long.py"], 1), (["long.py", "longer.py", "--jobs", "2"], 3), (["bug.py", "--confirm"], 2)],
    ids=["checking", "sharing", "replaying"],
)
def test_a_signal_ends_everything(
    begin: Begin, mark: str, arguments: list[str], processes: int, number: int, status: int, told: str
) -> None:
    process = begin(*arguments)
    assert wait_for(lambda: len(marked(mark)) >= processes, 60)
    time.sleep(1.0)
    process.send_signal(number)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out, err.strip()[: len(told)], err.strip().count("\n")) == (status, "", told, 0)
    assert wait_for(lambda: not marked(mark), 5)
