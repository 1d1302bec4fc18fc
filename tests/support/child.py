"""A child process that answers requests, one JSON value per line.

Some invalid calls abort the whole process, which is a result too, so the libraries never run in the process of the
tests.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
QUIET = {"CUDA_VISIBLE_DEVICES": "", "TF_ENABLE_ONEDNN_OPTS": "0", "TF_CPP_MIN_LOG_LEVEL": "3"}


class Child:
    """The parent's end of the pipe: starts a module at the first request, and again after a crash."""

    def __init__(
        self,
        module: str,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
        python: str = sys.executable,
    ) -> None:
        self._command = [python, "-m", module, *arguments]
        self._environment = {**os.environ, **QUIET, **(environment or {})}
        self._process: subprocess.Popen[str] | None = None

    def ask(self, request: Any) -> Any:
        """Return the child's answer, or {"crash": status}."""
        process = self._process or self._start()
        assert process.stdin and process.stdout
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if line:
            return json.loads(line)
        self._process = None
        return {"crash": process.wait()}

    def _start(self) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(
            self._command, cwd=ROOT, env=self._environment, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, text=True
        )
        return self._process

    def stop(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()


def serve(answer: Callable[[Any], dict[str, Any]]) -> None:
    """Answer requests line by line in the child; an exception is an answer."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line))
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"}
        answers.write(json.dumps(reply) + "\n")
        answers.flush()
