"""The cost of a cold check compared with parsing the same files: `python -m benchmarks [OPTIONS] [FOLDER ...]`.

Each figure is of a process of its own; without folders, installed packages are checked. With `--beside` the linters and
type checkers that are found (on the path, or in the folder `--tools`) check the same files.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

PACKAGES = {
    "keras": "src/layers",
    "tf_keras": "src/layers",
    "gpflow": "",
    "transformers": "models/bert",
    "tensorflow": "python/ops",
}
PARSE = """
import sys
from pathlib import Path
import libcst
for name in sys.stdin.read().split("\\0"):
    try:
        libcst.parse_module(Path(name).read_text("utf-8"))
    except (libcst.ParserSyntaxError, UnicodeDecodeError):
        pass
"""
ONE_PROCESS = {**os.environ, "OMP_NUM_THREADS": "1"}
TOOLS = {
    "ruff": ("check", "--isolated", "--no-cache", "--quiet"),
    "pyrefly": ("check", "--summary=none"),
    "mypy": ("--no-incremental", "--ignore-missing-imports", "--follow-imports=silent", "--explicit-package-bases"),
    "pyright": (),
    "pylint": ("--errors-only", "--rcfile="),
}


@dataclass(frozen=True)
class Cost:
    """The cost of a process: CPU seconds of all its threads and children, elapsed seconds, peak megabytes."""

    processor: float
    clock: float
    peak: float


def measured(command: Sequence[str], given: str = "", statuses: Collection[int] = (0, 1)) -> Cost:
    """Return the cost of one run of a command."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ONE_PROCESS
    )
    assert process.stdin is not None
    process.stdin.write(given.encode())
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    clock = time.perf_counter() - start
    if statuses and process.returncode not in statuses:
        print(f"  exit status {process.returncode}: not everything was checked")
    per_megabyte = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Cost(usage.ru_utime + usage.ru_stime, clock, usage.ru_maxrss / per_megabyte)


def compare(folder: Path, pattern: str, runs: int, jobs: Sequence[str], beside: Mapping[str, str]) -> None:
    files = sorted(map(str, folder.rglob(pattern) if folder.is_dir() else [folder]))
    lines = sum(Path(file).read_bytes().count(b"\n") for file in files)
    print(f"{folder}: {len(files)} files, {lines:,} lines; least of {runs}")
    parse = [measured([sys.executable, "-c", PARSE], "\0".join(files)) for _ in range(runs)]
    show("libcst.parse_module", parse, parse)
    check = [sys.executable, "-m", "shapecheck", "-q", "--no-cache", *jobs, *files]
    show("shapecheck", [measured(check) for _ in range(runs)], parse)
    for name, program in beside.items():
        command = [program, *TOOLS[name], *files]
        statuses = () if name == "pylint" else (0, 1)  # whose status encodes the kinds of messages
        show(name, [measured(command, statuses=statuses) for _ in range(runs)], parse)


def show(name: str, costs: Sequence[Cost], parse: Sequence[Cost]) -> None:
    """Print a line for a program, with its processor time as a multiple of that of the parser."""
    processor, clock = (min(getattr(cost, which) for cost in costs) for which in ("processor", "clock"))
    ratio = processor / min(cost.processor for cost in parse)
    peak = max(cost.peak for cost in costs)
    print(
        f"  {name:20} {processor:8.2f} s processor {clock:8.2f} s clock {ratio:7.2f} x parse {peak:6.0f} MB", flush=True
    )


def tools(folder: Path | None) -> dict[str, str]:
    """Return the other programs that are installed."""
    found = {name: shutil.which(name, path=str(folder) if folder else None) for name in TOOLS}
    return {name: program for name, program in found.items() if program}


def installed() -> list[Path]:
    """Return the folders of known packages that are installed."""
    found = []
    for package, folder in PACKAGES.items():
        spec = find_spec(package)
        if spec is not None and spec.origin is not None and (Path(spec.origin).parent / folder).is_dir():
            found.append(Path(spec.origin).parent / folder)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Time of a check beside that of parsing.")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--jobs", type=int, help="the processes of shapecheck; as many as there are CPUs")
    parser.add_argument("--files", default="*.py", metavar="PATTERN", help="the files of the folders")
    parser.add_argument("--beside", action="store_true", help="run other linters and type checkers on the same files")
    parser.add_argument("--tools", type=Path, help="the folder that these are in, if not on the path")
    parser.add_argument("folders", nargs="*", type=Path)
    options = parser.parse_args()
    beside = tools(options.tools) if options.beside else {}
    jobs = [] if options.jobs is None else ["--jobs", str(options.jobs)]
    for folder in options.folders or installed():
        compare(folder, options.files, options.runs, jobs, beside)


if __name__ == "__main__":
    main()
