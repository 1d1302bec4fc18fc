"""The cost of each script of a project, as a whole check would have it: seconds of a processor, and memory.

`python -m benchmarks.scripts FOLDER ...` checks each file that can use a library in a process of its own, a copy of one
that has everything imported, and prints the slowest ones, the median and the 95th percentile. With `--write` the
figures and the findings are kept, and with `--against` they are compared with those of another version of shapecheck.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shapecheck.checker import check_file, trial
from shapecheck.checker.parallel import FileChecker, RunSettings
from shapecheck.checker.pipeline import source_of
from shapecheck.config import Config
from shapecheck.file_result import FileResult
from shapecheck.models.lang import loading
from shapecheck.project import discovery
from shapecheck.project.versions import common_target
from shapecheck.source import Source, UnreadableSource
from shapecheck.target import Target

PER_MEGABYTE = 1 << 20 if sys.platform == "darwin" else 1 << 10


@dataclass(frozen=True)
class Script:
    """A checked file: seconds of a processor, peak megabytes, lines, what was found, and the evaluation steps at the
    most expensive places."""

    name: str
    seconds: float
    megabytes: float
    lines: int
    found: list[str]
    places: list[list[Any]]


def scripts(folder: Path, only: str, fixes: int = 0) -> Iterator[Script]:
    """Yield the files of a folder with their costs, up to as many fixes of each finding among them."""
    found = discovery.find([folder], Config())
    sources = list(_readable(found.files))
    settings = RunSettings(sources, common_target([source.text for source in sources], Target()))
    for source in sources:
        checker = FileChecker(settings)
        if checker.cached(source) is None and only in source.filename:
            yield _measured(checker, source, folder, fixes)


def _readable(files: Sequence[Path]) -> Iterator[Source]:
    for file in files:
        try:
            yield source_of(file)
        except UnreadableSource as error:
            print(error, file=sys.stderr)


def _measured(checker: FileChecker, source: Source, folder: Path, fixes: int) -> Script:
    """Check a file in a copy of this process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "w") as pipe:
            gc.disable()  # as the command does
            before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
            if fixes:
                result = trial.check_with_fixes(checker.parsed, source, fixes)
            else:
                result = check_file.check(checker.parsed, source)
            seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
            json.dump({"seconds": seconds, **_told(result, folder)}, pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        told = pipe.read()
    usage = os.wait4(child, 0)[2]
    name = str(Path(source.filename).relative_to(folder.parent))
    return Script(
        name=name, megabytes=usage.ru_maxrss / PER_MEGABYTE, lines=source.text.count("\n"), **json.loads(told)
    )


def _told(result: FileResult, folder: Path) -> dict[str, Any]:
    """Return what is compared of a result."""
    found = sorted(
        f"{os.path.relpath(f.place.filename, folder)}:{f.place.row} {f.code} {f.severity.value} {f.message}"
        for f in result.findings
    )
    return {"found": found + list(result.problems), "places": result.statistics.spent.most_common()}


def report(done: Sequence[Script], most: int) -> None:
    """Print the slowest scripts and what is usual."""
    print(f"{'seconds':>8} {'MB':>5} {'lines':>6}  script")
    for script in sorted(done, key=lambda script: -script.seconds)[:most]:
        print(f"{script.seconds:8.2f} {script.megabytes:5.0f} {script.lines:6}  {script.name}")
    costs = [script.seconds for script in done]
    if len(costs) > 1:
        median, percentile = statistics.median(costs), statistics.quantiles(costs, n=20, method="inclusive")[-1]
        print(f"{len(costs)} scripts: {sum(costs):.1f} s, median {median:.2f} s, 95 % {percentile:.2f} s")


def compare(before: Sequence[Script], after: Sequence[Script]) -> None:
    """Print how the costs of the same scripts differ, and every finding that only one version has."""
    old = {script.name: script for script in before}
    pairs = [(old[script.name], script) for script in after if script.name in old]
    was, now = (sum(pair[which].seconds for pair in pairs) for which in (0, 1))
    print(f"{len(pairs)} scripts of both versions: {was:.1f} s, now {now:.1f} s")
    for one, other in pairs:
        for sign, lines in (("-", set(one.found) - set(other.found)), ("+", set(other.found) - set(one.found))):
            for line in sorted(lines):
                print(f"{sign} {one.name}: {line}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scripts", description="The cost of each script.")
    parser.add_argument("--most", type=int, default=20, help="how many of the slowest scripts are listed")
    parser.add_argument("--only", default="", metavar="TEXT", help="scripts whose path contains this")
    parser.add_argument("--write", type=Path, help="keep the figures and the findings in this file")
    parser.add_argument("--against", type=Path, help="compare them with those in this file")
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    loading.load()
    done = [script for folder in options.folders for script in scripts(folder, options.only)]
    report(done, options.most)
    if options.write:
        options.write.write_text(json.dumps([vars(script) for script in done], indent=1))
    if options.against:
        compare([Script(**entry) for entry in json.loads(options.against.read_text())], done)


if __name__ == "__main__":
    main()
