"""The process that imports the real libraries once and forks a child for each program.

Started as `python -m shapecheck.runtime.replay.worker MODULE OPTIONAL_MODULE ...`. It reads one job (JSON) per line
from standard input and answers one line each, after a first line with the versions of its imports. This process itself
never computes anything, since a library that has computed may hang in a forked child.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import linecache
import os
import re
import resource
import select
import signal
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from types import CodeType, TracebackType
from typing import IO, Any

Record = dict[str, Any]

PROGRAM = "<replay>"
LARGEST_FILE = 16 << 20
_TOLD_LINE = re.compile(rf'File "{PROGRAM}", line (\d+)')  # of code that AutoGraph or a graph has moved elsewhere


def main(modules: list[str]) -> None:
    """Import the modules, then serve jobs until standard input ends."""
    replies = _claim_output()
    warnings.simplefilter("ignore")
    hello = _import_all(modules)
    _send(replies, hello)
    if not hello["versions"]:
        return
    for served, line in enumerate(sys.stdin, start=1):
        _send(replies, {**_serve(json.loads(line)), "served": served, "imports": hello["imports"]})


def _claim_output() -> IO[str]:
    """Reserve standard output for replies: all other output is discarded."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    _silence(1, 2)
    return replies


def _silence(*descriptors: int) -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _send(replies: IO[str], record: Record) -> None:
    replies.write(json.dumps(record) + "\n")
    replies.flush()


def _import_all(modules: list[str]) -> Record:
    versions: dict[str, str] = {}
    problems = {name: problem for name in modules if (problem := _import(name, versions))}
    return {"versions": versions, "imports": len(versions), "problems": problems}


def _import(name: str, versions: dict[str, str]) -> str:
    """Import a module and note its version; return the error if it cannot be imported."""
    try:
        versions[name] = str(getattr(importlib.import_module(name), "__version__", "?"))
    except ModuleNotFoundError as error:
        return f"{name} is not installed" if error.name == name else f"{name} cannot be imported: {error}"
    except Exception as error:
        return f"{name} cannot be imported: {type(error).__name__}: {error}"
    return ""


def _serve(job: Record) -> Record:
    """Run one job in a child process and report how it ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _be_child(job, writer)
    os.close(writer)
    deadline = time.monotonic() + job["seconds"]
    try:
        text, in_time = _read_until(reader, deadline)
    finally:
        os.close(reader)
    if not in_time:
        _end(child)
    _, status = os.waitpid(child, 0)
    _sweep(child)
    if not in_time:
        return {"status": "timed-out", "text": f"no result after {job['seconds']:g} s"}
    return json.loads(text) if text.endswith("\n") else {"status": "crashed", "text": _ending(status)}


def _read_until(reader: int, deadline: float) -> tuple[str, bool]:
    """Return what a pipe yields until it is closed, and whether that was before the deadline."""
    parts: list[bytes] = []
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([reader], [], [], left)[0]:
            return "", False
        part = os.read(reader, 1 << 16)
        if not part:
            return b"".join(parts).decode("utf-8", "replace"), True
        parts.append(part)


def _end(child: int) -> None:
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(child, signal.SIGKILL)


def _sweep(child: int) -> None:
    """Kill the processes that a child may have left in its process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)


def _ending(status: int) -> str:
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return f"exit code {os.waitstatus_to_exitcode(status)}"


def _be_child(job: Record, writer: int) -> None:
    """Run the job's program and end the process."""
    try:
        os.setsid()
        _silence(0)
        _limit(job["megabytes"])
        record = _run(job)
        os.write(writer, (json.dumps(record) + "\n").encode())
    finally:
        os._exit(0)


def _limit(megabytes: int) -> None:
    """Limit the size of files, and the memory beyond that of the imports, if a limit is given."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    used = _data_size() if megabytes else None
    if used is not None:
        most = used + (megabytes << 20)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _data_size() -> int | None:
    """Return the size of this process's data segment in bytes, if the system reports it."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            return next((int(line.split()[1]) << 10 for line in status if line.startswith("VmData:")), None)
    except OSError:
        return None


def _run(job: Record) -> Record:
    absent = next(_absent(job["names"]), None)
    if absent is not None:
        return {"status": "absent", "text": absent}
    program = job["program"]
    linecache.cache[PROGRAM] = (len(program), None, program.splitlines(keepends=True), PROGRAM)  # AutoGraph reads it
    try:
        code = compile(program, PROGRAM, "exec")
        with _stage(job["mode"]):
            _execute(code)
    except BaseException as error:
        return _raised(error)
    return {"status": "ran"}


def _execute(code: CodeType) -> None:
    exec(code, {"__name__": "__main__"})


def _stage(mode: str) -> contextlib.AbstractContextManager[object]:
    if mode != "graph":
        return contextlib.nullcontext()
    graph: contextlib.AbstractContextManager[object] = sys.modules["tensorflow"].Graph().as_default()
    return graph


def _raised(error: BaseException) -> Record:
    classes = [cls.__name__ for cls in type(error).__mro__ if cls not in (BaseException, object)]
    if "MemoryError" in classes or "ResourceExhaustedError" in classes:
        return {"status": "out-of-memory"}
    lines = [line for name, line in _lines(error.__traceback__) if name == PROGRAM]
    text = _message(error)
    told = [int(line) for line in _TOLD_LINE.findall(text)]
    return {
        "status": "raised",
        "classes": classes,
        "text": text,
        "line": next(iter(lines), 0),
        "lines": [*lines, *told],
    }


def _message(error: BaseException) -> str:
    """Return the error's text; for a KeyError or an AssertionError its argument."""
    try:
        return str(error)[:20_000]
    except Exception:
        return ""


def _lines(trace: TracebackType | None) -> Iterator[tuple[str, int]]:
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next


def _absent(names: Iterable[str]) -> Iterator[str]:
    """Yield the paths of library names, given as `module:dotted.path`, that do not exist."""
    for name in names:
        module, _, path = name.partition(":")
        try:
            value: object = importlib.import_module(module)
            for part in path.split(".")[1:]:
                value = getattr(value, part)
        except (AttributeError, ImportError):
            yield path


if __name__ == "__main__":
    main(sys.argv[1:])
