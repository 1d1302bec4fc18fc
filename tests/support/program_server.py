"""The process that runs programs: it imports a library once, computes nothing, and forks one child per program.

Knows nothing of the checker, nor of the tests, since some libraries are in an environment without them.
"""

import gc
import importlib
import json
import os
import re
import runpy
import select
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import IO, Any

LIMIT_SECONDS = 180  # some train for ten, on a machine with nothing else to do


def serve() -> None:
    """Answer each request line with the result of one forked program."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    library = importlib.import_module(sys.argv[1])
    if library.__name__ == "tensorflow":
        assert library.keras.Model  # resolves the lazy Keras; building anything here would make the children hang
    gc.freeze()  # what collects garbage in the children would look through all of the library
    for line in sys.stdin:
        request = json.loads(line)
        answers.write(json.dumps(run_in_child(Path(request["path"]), request["old_names"])) + "\n")


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
