"""The process of an instrumented program: `python -m shapecheck.runtime.recording.launch SETTINGS`.

SETTINGS is a JSON object: the script or module, its arguments, the folder whose modules are instrumented, the file
descriptor for observations, and the stand-ins. The process ends as the program does.
"""

from __future__ import annotations

import atexit
import builtins
import importlib
import json
import os
import runpy
import signal
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, Final

from shapecheck.frontend.notebook import SUFFIX
from shapecheck.runtime.recording.hook import Instrumentation
from shapecheck.runtime.recording.recorder import Recorder
from shapecheck.runtime.recording.traces import traces_of


class TimeIsUp(KeyboardInterrupt):
    """The program's time limit; an interruption, so that few programs catch it, and a test runner ends."""


PYTEST: Final = ("--assert=plain", "-p", "no:cacheprovider")
"""What pytest is told: rewritten assertions would replace the instrumented code of test files."""


def main(settings: dict[str, Any]) -> int:
    """Run the program and return its exit status."""
    script = settings["script"]
    recorder = Recorder(settings["descriptor"])
    change = None
    if settings["tf1"] or settings["synthetic"]:
        standins = importlib.import_module("shapecheck.runtime.recording.standins")
        change = standins.begin(recorder, is_tf1=settings["tf1"], synthetic=settings["synthetic"])
    if settings["stubs"]:
        importlib.import_module("shapecheck.runtime.recording.standins.stubs").begin(settings["stubs"])
    instrumentation = Instrumentation(recorder, Path(settings["root"]), loops=settings["synthetic"], change=change)
    module = None if settings["is_module"] else _be_main(script)
    _set_paths(settings)
    recorder.begin()
    instrumentation.begin()
    _limit(settings["seconds"])
    status = _run(instrumentation, script, module, recorder)
    for (filename, line), count in traces_of(recorder.files).items():
        recorder.write("traces", filename, line, count)
    recorder.write("ended", status)
    atexit._run_exitfuncs()
    return status


def _be_main(script: str) -> ModuleType:
    """Set up `__main__` as Python does for a script."""
    module = ModuleType("__main__")
    module.__file__ = script
    module.__dict__["__builtins__"] = sys.modules["builtins"]
    sys.modules["__main__"] = module
    return module


def _set_paths(settings: dict[str, Any]) -> None:
    """Set up `sys.argv` and `sys.path` as Python does; modules are also looked for in the root."""
    script, arguments = settings["script"], settings["arguments"]
    is_pytest = settings["is_module"] and script == "pytest"
    sys.argv = [script, *(PYTEST if is_pytest else ()), *arguments]
    sys.path[0] = os.getcwd() if settings["is_module"] else os.path.dirname(os.path.abspath(script))
    sys.path.insert(1, os.path.abspath(settings["root"]))


def _limit(seconds: float) -> None:
    """Stop the program after this much processor time; 0 is no limit."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeIsUp

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 2.0 if seconds else 0.0)


def _run(instrumentation: Instrumentation, script: str, module: ModuleType | None, recorder: Recorder) -> int:
    """Run a script in its module, or a module of this name if there is none; return the exit status."""
    try:
        if module is None:
            recorder.write("started")
            runpy.run_module(script, run_name="__main__", alter_sys=True)
            return 0
        for at, (code, may_raise) in enumerate(_parts(instrumentation, script)):
            if at == 0:
                recorder.write("started")
            try:
                exec(code, module.__dict__)
            except Exception as error:
                if not may_raise:
                    raise
                with instrumentation.ended():
                    _show(error)
    except SystemExit as ended:
        return _status(ended.code)
    except TimeIsUp:
        recorder.write("stopped", "time limit reached")
        return 0
    except BaseException as error:
        instrumentation.end()
        recorder.write("raised", f"{type(error).__name__}: {error}"[:2000])
        _show(error)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        instrumentation.end()
    return 0


def _parts(instrumentation: Instrumentation, script: str) -> Iterable[tuple[CodeType, bool]]:
    """Yield the code to run in turn, and whether it may raise: a script, or the cells of a notebook."""
    if not script.endswith(SUFFIX):
        return [(instrumentation.code(script), False)]
    vars(builtins).setdefault("display", print)
    return instrumentation.cells(script)


def _status(code: object) -> int:
    if code is None or isinstance(code, int):
        return int(code or 0) & 255
    print(code, file=sys.stderr)
    return 1


def _show(error: BaseException) -> None:
    """Print the traceback as Python does, without the frames of these files."""
    trace = error.__traceback__
    while trace is not None and _is_ours(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    told = traceback.TracebackException(type(error), error, trace, compact=True)
    _without_columns(told)
    print("".join(told.format()), end="", file=sys.stderr)


def _is_ours(filename: str) -> bool:
    return os.path.dirname(filename) == os.path.dirname(__file__) or filename == "<frozen runpy>"


def _without_columns(told: traceback.TracebackException) -> None:
    """Return the traceback without columns, which are those of the instrumented text."""
    frames = [(frame.filename, frame.lineno or 0, frame.name, frame.line) for frame in told.stack]
    told.stack = traceback.StackSummary.from_list(frames)
    for other in (told.__cause__, told.__context__):
        if other is not None:
            _without_columns(other)


def _end(status: int) -> None:
    """End the process at once: a program that was stopped may have threads that never end."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    _end(main(json.loads(sys.argv[1])))
