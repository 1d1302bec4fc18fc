"""Runs programs of the corpus on the real libraries, in processes that import the libraries once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SERVER = Path(__file__).with_name("program_server.py")
LEGACY = {"TF_USE_LEGACY_KERAS": "1"}
QUIET = {
    "CUDA_VISIBLE_DEVICES": "",
    "JAX_PLATFORMS": "cpu",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONPATH": str(ROOT),
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a program: the class of its exception, the lines it passed through, and its output."""

    raised: str
    lines: list[int]
    output: str


@dataclass(frozen=True, slots=True)
class Setting:
    """What a program is run with: a library that a child imports before it, Keras 2, TensorFlow 1 by its old name."""

    library: str = "tensorflow"
    python: str = sys.executable
    legacy: bool = False
    old_names: bool = False


class Parents:
    """One process per environment, started when first needed."""

    def __init__(self) -> None:
        self._started: dict[tuple[str, bool], subprocess.Popen[str]] = {}

    def run(self, path: Path, setting: Setting) -> Outcome:
        parent = self._parent(setting)
        assert parent.stdin and parent.stdout
        parent.stdin.write(json.dumps({"path": str(path), "old_names": setting.old_names}) + "\n")
        parent.stdin.flush()
        return Outcome(**json.loads(parent.stdout.readline()))

    def _parent(self, setting: Setting) -> subprocess.Popen[str]:
        key = setting.library, setting.legacy
        if key not in self._started:
            env = {name: value for name, value in os.environ.items() if name not in LEGACY} | QUIET
            self._started[key] = subprocess.Popen(
                [setting.python, str(SERVER), setting.library],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=env | (LEGACY if setting.legacy else {}),
            )
        return self._started[key]

    def stop(self) -> None:
        for parent in self._started.values():
            parent.communicate(timeout=10)
