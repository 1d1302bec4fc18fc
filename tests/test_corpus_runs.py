"""Runs the corpus on the real libraries, to check its labels.

Knows nothing of the checker. Started as a script, this file is the parent process that imports the libraries
once, computes nothing, and forks one child per program.
"""

import importlib
import json
import os
import re
import runpy
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pytest

from shapecheck import toml

if TYPE_CHECKING:
    from tests.support.environments import Environment

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
LIMIT_SECONDS = 180  # some train for ten, on a machine with nothing else to do
LEGACY = {"TF_USE_LEGACY_KERAS": "1"}
OF_PACKS = ("jax", "torch")
FRAMEWORKS = {"tf1", "tf2", "keras2", "keras3", "numpy", "jax", "torch"}
KINDS = {
    "axis",
    "axis-range",
    "broadcast",
    "cross-entropy",
    "dtype",
    "element-count",
    "feed",
    "index-range",
    "layer-state",
    "negative-size",
    "pattern",
    "rank",
    "set-shape",
    "staging",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One reported fault, as `case.toml` describes it."""

    title: str
    report: str
    framework: str
    kind: str
    raises: str
    lines: list[int]
    expect: str
    runs: bool
    rule: str = ""
    reason: str = ""
    why: str = ""
    env: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a program: the class of its exception, the lines it passed through, and its output."""

    raised: str
    lines: list[int]
    output: str


def read_case(folder: Path) -> Case:
    return Case(**toml.loads((folder / "case.toml").read_text()))


BUGS = sorted(path.parent for path in (CORPUS / "bugs").rglob("case.toml"))
CLEAN = sorted(path for path in (CORPUS / "clean").iterdir() if path.is_dir())


# ---------------------------------------------------------------------------------------------- the tests


def test_names_are_unique() -> None:
    """A case is identified by the name of its folder alone."""
    assert len({folder.name for folder in BUGS}) == len(BUGS)


def test_every_program_belongs_to_a_case() -> None:
    assert {path.parent for path in (CORPUS / "bugs").rglob("*.py")} == set(BUGS)


@pytest.mark.parametrize("folder", BUGS, ids=lambda folder: folder.name)
def test_case_is_well_formed(folder: Path) -> None:
    case = read_case(folder)
    buggy, fixed = (folder / "buggy.py").read_text(), (folder / "fixed.py").read_text()
    assert {path.name for path in folder.iterdir()} - {"__pycache__"} == {"buggy.py", "case.toml", "fixed.py"}
    assert case.framework in FRAMEWORKS and case.kind in KINDS
    assert case.expect in {"found", "missed", "out-of-scope"}
    assert bool(case.reason) == (case.expect != "found")
    assert case.rule or case.expect != "found"
    assert bool(case.why) != case.runs, "give the reason if and only if the case is not executed"
    assert case.env in (None, LEGACY)
    assert buggy != fixed
    assert case.lines and all(buggy.splitlines()[line - 1].strip() for line in case.lines)


def skip_if_not_run(case: Case) -> None:
    if not case.runs:
        pytest.skip(case.why)
    if case.framework in OF_PACKS and not environment_of(case.framework).is_there:
        pytest.skip(f"{case.framework} is not there: make diff-packs")


def environment_of(framework: str) -> "Environment":
    """Return the environment of a pack that programs of a framework run in."""
    from tests.support import environments  # not importable where this file is a script

    return {"jax": environments.JAX, "torch": environments.PYTORCH}[framework]


def skip_if_other_release(outcome: "Outcome") -> None:
    from tests.support import generated  # not importable where this file is a script

    generated.skip_if_other_release(outcome.raised)


@pytest.mark.slow
@pytest.mark.parametrize("folder", BUGS, ids=lambda folder: folder.name)
def test_buggy_program_fails_as_labelled(folder: Path, parents: "Parents") -> None:
    case = read_case(folder)
    skip_if_not_run(case)
    outcome = parents.run(folder / "buggy.py", case)
    is_elsewhere = case.raises != "none" and not set(outcome.lines) & set(case.lines)
    if is_elsewhere or outcome.raised != case.raises:
        skip_if_other_release(outcome)
    assert outcome.raised == case.raises, outcome.output
    assert not is_elsewhere, outcome.output


@pytest.mark.slow
@pytest.mark.parametrize("folder", BUGS, ids=lambda folder: folder.name)
def test_fixed_program_runs(folder: Path, parents: "Parents") -> None:
    case = read_case(folder)
    skip_if_not_run(case)
    outcome = parents.run(folder / "fixed.py", case)
    if outcome.raised != "none":
        skip_if_other_release(outcome)
    assert outcome.raised == "none", outcome.output


@pytest.mark.slow
@pytest.mark.parametrize("folder", CLEAN, ids=lambda folder: folder.name)
def test_clean_program_runs(folder: Path, parents: "Parents") -> None:
    outcome = parents.run(folder / "main.py", None)
    assert outcome.raised == "none", outcome.output


# ------------------------------------------------------------------------------------------- our side of the pipe


@pytest.fixture(scope="session")
def parents() -> Iterator["Parents"]:
    started = Parents()
    yield started
    started.stop()


class Parents:
    """One process per environment, started when first needed."""

    def __init__(self) -> None:
        self._started: dict[tuple[bool, str], subprocess.Popen[str]] = {}

    def run(self, path: Path, case: Case | None) -> Outcome:
        source = path.read_text()
        legacy = bool(case and case.env) or "TF_USE_LEGACY_KERAS" in source
        old_names = case is not None and case.framework == "tf1" and "compat.v1" not in source
        parent = self._parent(legacy, case.framework if case and case.framework in OF_PACKS else "tensorflow")
        assert parent.stdin and parent.stdout
        parent.stdin.write(json.dumps({"path": str(path), "old_names": old_names}) + "\n")
        parent.stdin.flush()
        return Outcome(**json.loads(parent.stdout.readline()))

    def _parent(self, legacy: bool, library: str) -> subprocess.Popen[str]:
        if (legacy, library) not in self._started:
            python = environment_of(library).python if library in OF_PACKS else sys.executable
            quiet = {
                "JAX_PLATFORMS": "cpu",
                "PYTHONPATH": str(CORPUS.parent),
                "CUDA_VISIBLE_DEVICES": "",
                "TF_ENABLE_ONEDNN_OPTS": "0",
                "TF_CPP_MIN_LOG_LEVEL": "3",
            }
            quiet["PYTHONDONTWRITEBYTECODE"] = "1"
            env = {name: value for name, value in os.environ.items() if name not in LEGACY} | quiet
            self._started[legacy, library] = subprocess.Popen(
                [python, __file__, library],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=env | (LEGACY if legacy else {}),
            )
        return self._started[legacy, library]

    def stop(self) -> None:
        for parent in self._started.values():
            assert parent.stdin
            parent.stdin.close()
            parent.wait(timeout=10)


# ------------------------------------------------------------------------------------------ the other side of it


def serve() -> None:
    """Answer each request line with the result of one forked program."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    if sys.argv[1] in OF_PACKS:
        importlib.import_module(sys.argv[1])
    else:
        import_tensorflow()
    for line in sys.stdin:
        request = json.loads(line)
        answers.write(json.dumps(run_in_child(Path(request["path"]), request["old_names"])) + "\n")


def import_tensorflow() -> None:
    import tensorflow

    # Resolves the lazy Keras; building anything here would make the children hang.
    assert tensorflow.keras.Model


def run_in_child(path: Path, old_names: bool) -> dict[str, Any]:
    """Fork, run the program as a script and wait for its report or the time limit."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+", errors="replace") as log:
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            os.chdir(folder)
            with os.fdopen(writer, "w") as report:
                json.dump(run_program(path, old_names, log), report)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as report:
            text = read_within(report, LIMIT_SECONDS)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        log.seek(0)
        ended = json.loads(text) if text else {"raised": "killed or out of time", "lines": []}
        return ended | {"output": log.read()[-4000:]}


def read_within(report: IO[str], seconds: float) -> str:
    """Read until the child closes its end; an empty text means that it never reported."""
    parts, deadline = [], time.monotonic() + seconds
    while select.select([report], [], [], max(0.0, deadline - time.monotonic()))[0]:
        part = os.read(report.fileno(), 65536)
        if not part:
            break
        parts.append(part)
    return b"".join(parts).decode()


def run_program(path: Path, old_names: bool, log: IO[str]) -> dict[str, Any]:
    os.dup2(log.fileno(), 1)
    os.dup2(log.fileno(), 2)
    sys.stdin = open(os.devnull)  # noqa: SIM115
    sys.argv = [str(path)]
    sys.path.insert(0, str(path.parent))
    replace_downloads()
    if old_names:
        offer_old_names()
    raised, lines = "none", set[int]()
    try:
        runpy.run_path(str(path), run_name="__main__")
    except SystemExit as end:
        raised = "none" if end.code in (None, 0) else "SystemExit"
    except BaseException as error:
        raised, lines = type(error).__name__, lines_passed(error, path)
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    return {"raised": raised, "lines": sorted(lines)}


def lines_passed(error: BaseException, path: Path) -> set[int]:
    """Return lines of the program in the traceback, and those that AutoGraph and graph ops quote in the message."""
    lines = {int(line) for line in re.findall(rf'File "{re.escape(str(path))}", line (\d+)', str(error))}
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == str(path) and frame.lineno:
            last = getattr(frame, "end_lineno", None) or frame.lineno  # Python 3.10 knows only the first
            lines |= set(range(frame.lineno, last + 1))
    return lines


def offer_old_names() -> None:
    """Let `import tensorflow` provide TensorFlow 1's names, as far as they still exist."""
    import tensorflow.compat.v1 as tf1

    tf1.disable_v2_behavior()
    sys.modules["tensorflow"] = tf1


def replace_downloads() -> None:
    """Provide the well-known data sets in their documented shapes without the network."""
    if "tensorflow" not in sys.modules:
        return
    import tensorflow

    datasets = tensorflow.keras.datasets
    datasets.mnist.load_data = images((60000, 28, 28), (60000,), 10)
    datasets.fashion_mnist.load_data = images((60000, 28, 28), (60000,), 10)
    datasets.cifar10.load_data = images((50000, 32, 32, 3), (50000, 1), 10)
    datasets.cifar100.load_data = images((50000, 32, 32, 3), (50000, 1), 100)
    if "keras" in sys.modules:
        for name in ("mnist", "fashion_mnist", "cifar10", "cifar100"):
            module = getattr(sys.modules["keras"].datasets, name)
            module.load_data = getattr(datasets, name).load_data


def images(inputs: tuple[int, ...], labels: tuple[int, ...], classes: int) -> Any:
    """Return a loader of blank images: 10,000 for testing, `inputs[0]` for training."""
    import numpy as np

    def part(count: int) -> tuple[Any, Any]:
        pixels = np.zeros((count, *inputs[1:]), dtype="uint8")
        return pixels, (np.arange(count) % classes).astype("uint8").reshape(count, *labels[1:])

    return lambda *_, **__: (part(inputs[0]), part(10_000))


if __name__ == "__main__":
    serve()
