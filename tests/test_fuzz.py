"""A short run of the fuzzer; SHAPECHECK_FUZZ=2000 makes it a long one."""

from __future__ import annotations

import os
import signal

import pytest

from tests.support import fuzz
from tests.support.seed import SEED

COUNT = int(os.environ.get("SHAPECHECK_FUZZ", "30"))

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks a process for each program")


def test_nothing_breaks() -> None:
    fuzz.prepare()
    failures = [failure for text in fuzz.programs(COUNT, SEED) if (failure := fuzz.apart(text)) is not None]
    assert not failures, f"{failures[0].what}\n--- of {len(failures)}:\n{failures[0].program}"


def test_a_program_is_not_run() -> None:
    assert fuzz.apart("import os\nos._exit(3)\n") is None


def test_what_goes_wrong_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("inside")

    with monkeypatch.context() as patch:
        patch.setattr("shapecheck.checker.pipeline.check", fails)
        failure = fuzz.apart("x = 1\n")
        assert failure is not None
        assert "RuntimeError: inside" in failure.what
    with monkeypatch.context() as patch:
        patch.setattr("shapecheck.checker.pipeline.check", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        failure = fuzz.apart("x = 1\n")
        assert failure is not None
        assert failure.what.startswith("the process died")
    with monkeypatch.context() as patch:
        patch.setattr("shapecheck.checker.pipeline.check", lambda *_: os.read(os.pipe()[0], 1))
        failure = fuzz.apart("x = 1\n", seconds=0.2)
        assert failure is not None
        assert failure.what == "no answer in 0.2 s"
