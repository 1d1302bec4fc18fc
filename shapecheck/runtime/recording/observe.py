"""Runs an instrumented script in a process of its own, and reads the log of that process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from shapecheck.runtime.importable import PACKAGE_PARENT

GRACE: Final = 30.0
PATIENCE: Final = 5  # times as long as its processor time may a program take, and a while longer

Span = tuple[str, int, int]  # a file and a stretch of its text
Site = tuple[str, int, int]  # a file (of a notebook, with the cell), a row, and the offset of the call's end or -1


@dataclass(frozen=True, slots=True)
class CallPath:
    """The sites of the calls in the program's own files that led to a function, from the inside out.

    `certain` is the number of the innermost ones that are calls by the program itself, if a library calls it back at
    the next one; None if all are. `is_entry` says that a function outside the program, such as a test runner, called
    the outermost function.
    """

    sites: tuple[Site, ...] = ()
    certain: int | None = None
    is_entry: bool = False


@dataclass(frozen=True, slots=True)
class Observation:
    """A value that an expression had. `kind` is the library's kind of object ("np", "tf", "graph", "variable", "keras",
    "ragged", "sparse"); a shape of None has no known rank, a size of None is unknown while a graph is built."""

    kind: str
    shape: tuple[int | None, ...] | None
    dtype: str | None
    path: CallPath = CallPath()


@dataclass(frozen=True, slots=True)
class Settings:
    """Options for running a program: a script, or a module as `python -m` runs it."""

    script: str
    arguments: tuple[str, ...] = ()
    root: str | None = None
    synthetic: bool = False
    tf1: bool = False
    keras2: bool = False
    seconds: float = 0.0
    is_module: bool = False
    stubs: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        """Return the folder of the program's own modules."""
        return self.root or (os.getcwd() if self.is_module else str(Path(self.script).absolute().parent))


@dataclass(slots=True)
class RecordedRun:
    """The log of a run.

    There are `observations` by place, `cuts` as the original and the shortened lengths of loops and data that stand-ins
    cut short, `traces` as the numbers of traces of functions by file and first line, and `ending` as a description of
    how the program ended.
    """

    observations: dict[Span, list[Observation]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    cuts: dict[int, set[int]] = field(default_factory=dict)
    traces: dict[tuple[str, int], int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    ending: str = ""
    status: int | None = None
    started: bool = False


def start(settings: Settings, log: Path, *, output_to_errors: bool) -> subprocess.Popen[bytes]:
    """Start the program; its observations are written to the log."""
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        given = {
            "script": settings.script,
            "arguments": settings.arguments,
            "root": settings.folder,
            "descriptor": descriptor,
            "synthetic": settings.synthetic,
            "tf1": settings.tf1,
            "is_module": settings.is_module,
            "stubs": settings.stubs,
            "seconds": settings.seconds,
        }
        command = [sys.executable, "-m", "shapecheck.runtime.recording.launch", json.dumps(given)]
        return subprocess.Popen(
            command, env=_environment(settings), pass_fds=[descriptor], stdout=2 if output_to_errors else None
        )
    finally:
        os.close(descriptor)


def _environment(settings: Settings) -> dict[str, str]:
    paths = [str(PACKAGE_PARENT), *filter(None, [os.environ.get("PYTHONPATH")])]
    added = {"PYTHONPATH": os.pathsep.join(paths)}
    if settings.synthetic:
        added |= {"MPLBACKEND": "Agg", "TF_CPP_MIN_LOG_LEVEL": os.environ.get("TF_CPP_MIN_LOG_LEVEL", "2")}
    if settings.keras2:
        added |= {"TF_USE_LEGACY_KERAS": "1"}
    return {**os.environ, **added}


def wait(process: subprocess.Popen[bytes], seconds: float) -> int:
    """Return the exit status of the program, which is killed after its time limit."""
    try:
        return process.wait(seconds * PATIENCE + GRACE if seconds else None)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()
    except KeyboardInterrupt:  # the program was interrupted, too
        return wait(process, 1)


def observe(settings: Settings, *, log: Path | None = None, output_to_errors: bool = False) -> RecordedRun:
    """Run the program to its end and return its observations. A given log is kept; if it exists already, it is read
    instead of running the program again."""
    with tempfile.TemporaryDirectory(prefix="shapecheck-") as folder:
        made = Path(folder, "observed.jsonl")
        if log is None or not log.exists():
            process = start(settings, made, output_to_errors=output_to_errors)
            status = wait(process, settings.seconds)
            with made.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(["status", status]) + "\n")
            if log is not None:
                shutil.copy(made, log)
        with (log or made).open(encoding="utf-8") as lines:
            return read(lines)


def read(lines: Iterable[str]) -> RecordedRun:
    """Parse the lines of a log."""
    observed = RecordedRun()
    spans: dict[int, Span] = {}
    paths: dict[int, CallPath] = {}
    for what, *rest in _parsed(lines):
        match what:
            case "places":
                filename, first, places = rest
                observed.files.append(filename)
                spans |= {first + at: (filename, begin, end) for at, (begin, end) in enumerate(places)}
            case "path":
                number, sites, certain, is_entry = rest
                paths[number] = CallPath(tuple((name, row, end) for name, row, end in sites), certain, is_entry)
            case "seen":
                place, kind, shape, dtype, path = rest
                size = None if shape is None else tuple(shape)
                observation = Observation(kind, size, str(dtype).removesuffix("_ref"), paths[path])
                observed.observations.setdefault(spans[place], []).append(observation)
            case "cut":
                observed.cuts.setdefault(rest[0], set()).add(rest[1])
            case "traces":
                filename, line, count = rest
                observed.traces[filename, line] = count
            case "problem":
                observed.problems.append(": ".join(rest))
            case "started":
                observed.started = True
            case "raised" | "stopped":
                observed.ending = rest[0] if what == "stopped" else f"it raised {rest[0]}"
            case "status":
                observed.status = rest[0]
    observed.ending = observed.ending or _ending(observed.status)
    return observed


def _parsed(lines: Iterable[str]) -> Iterator[list[Any]]:
    for line in lines:
        try:
            yield json.loads(line)
        except ValueError:  # what a process wrote when it was killed
            continue


def _ending(status: int | None) -> str:
    if status is None:
        return "unknown"
    return f"killed by signal {-status}" if status < 0 else f"exit status {status}"
