"""Published programs, run instrumented: the share of their shapes and stages that was predicted, and what was wrong.

`python -m benchmarks.programs --root FOLDER` expects the repositories of `programs.toml` under FOLDER, each in a folder
OWNER+NAME at the commit that the file names.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shapecheck import toml

LIST = Path(__file__).with_name("programs.toml")
LEVELS = ("known", "imprecise", "lost", "wrong")
STAGED = ("symbolic", "symbolic Keras tensor")


@dataclass(frozen=True)
class Program:
    """One program of the list; `options` are those of `shapecheck run`."""

    repository: str
    commit: str
    path: str
    arguments: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.repository.split('/')[0]}: {self.path}"


@dataclass(frozen=True)
class Outcome:
    program: Program
    report: dict[str, Any]

    @property
    def counts(self) -> Counter[str]:
        return Counter(self.report.get("counts", {}))

    @property
    def places(self) -> list[dict[str, Any]]:
        return list(self.report.get("places", ()))

    @property
    def stages(self) -> Counter[str]:
        """The counts of predicted stages, if the program stages anything."""
        is_staged = any(stage in STAGED for item in self.places for stage in (item["stage"] or "").split(" or "))
        return Counter(self.report["stages"] if is_staged else {})

    @property
    def ending(self) -> str:
        return str(self.report.get("ending", "no report"))


def listed(file: Path, only: str) -> list[Program]:
    """Return the programs, where each entry of the file is a repository with its files."""
    programs = []
    for entry in toml.loads(file.read_text("utf-8"))["repository"]:
        for item in entry["programs"]:
            given = {"path": item} if isinstance(item, str) else item
            options = [*entry.get("options", []), *given.pop("options", [])]
            programs.append(Program(entry["name"], entry["commit"], options=options, **given))
    return [program for program in programs if only in program.name]


def run(program: Program, root: Path, seconds: float, logs: Path | None) -> Outcome:
    """Run a program in a folder of its own, which contains the files beside it."""
    repository = (root / program.repository.replace("/", "+")).resolve()
    script = repository / program.path
    with tempfile.TemporaryDirectory(prefix="program-") as folder:
        for entry in script.parent.iterdir():
            Path(folder, entry.name).symlink_to(entry)
        command = [sys.executable, "-m", "shapecheck", "run", "--synthetic-data", "--output-format", "json"]
        if logs is not None:
            command += ["--log", str(logs / re.sub(r"\W+", "-", f"{program.repository} {program.path}"))]
        command += ["--seconds", str(seconds)]
        command += (option.format(repository=repository) for option in program.options)
        command += [str(script), *program.arguments]
        with open(Path(folder, ".output"), "wb") as output:
            try:
                done = subprocess.run(command, cwd=folder, stdout=-1, stderr=output, timeout=seconds * 5 + 300)
            except subprocess.TimeoutExpired:
                return Outcome(program, {"ending": "no end"})
        try:
            return Outcome(program, json.loads(done.stdout))
        except ValueError:
            return Outcome(program, {"ending": Path(folder, ".output").read_text("utf-8", "replace")[-300:]})


def table(outcomes: list[Outcome]) -> Iterator[str]:
    """Yield the figures of shapes, and then those of the stages, of each program and of all."""
    width = max(len(outcome.program.name) for outcome in outcomes)
    yield f"{'':{width}}" + "".join(f"{level:>10}" for level in LEVELS) + "     known    stages     known     wrong"
    shapes, stages, staged = Counter[str](), Counter[str](), 0
    for outcome in outcomes:
        shapes += outcome.counts
        stages += outcome.stages
        staged += bool(outcome.stages)
        yield row(outcome.program.name, width, outcome.counts, outcome.stages) + f"  {outcome.ending[:60]}"
    yield row(f"{len(outcomes)} programs, {staged} with stages", width, shapes, stages)


def row(name: str, width: int, shapes: Counter[str], stages: Counter[str]) -> str:
    levels = "".join(f"{shapes[level]:10}" for level in LEVELS) + share(shapes)
    return f"{name:{width}}{levels}{sum(stages.values()):10}{share(stages)}{stages['wrong']:10}"


def share(counts: Counter[str]) -> str:
    """Return the share of the predictions that are known."""
    total = sum(counts.values())
    return f"{counts['known'] / total:10.1%}" if total else f"{'-':>10}"


def details(outcomes: list[Outcome]) -> Iterator[str]:
    """Yield every wrong prediction, and the most frequent reasons for lost shapes."""
    for level in ("lost", "imprecise"):
        reasons: Counter[str] = Counter()
        for outcome in outcomes:
            reasons.update(item["reason"] for item in outcome.places if item["level"] == level)
        yield f"\n{level} because of"
        yield from (f"{count:6}  {reason}" for reason, count in reasons.most_common(15))
    yield "\nwrong"
    for outcome in outcomes:
        for item in outcome.places:
            text = " ".join(item["text"].split())[:60]
            place = f"{outcome.program.repository.split('/')[0]} {os.path.basename(item['filename'])}:{item['row']}"
            if item["level"] == "wrong":
                yield f"  {place}: {text}: predicted {item['predicted']}, seen {item['seen']} {item['kind']}"
            if item["stage_level"] == "wrong":
                yield f"  {place}: {text}: predicted {item['predicted_stage']}, seen {item['stage']}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.programs", description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--list", type=Path, default=LIST, help="another list than the one beside this file")
    parser.add_argument("--only", default="", help="programs whose name holds this")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--logs", type=Path, help="a folder of what programs did, which are not run again if it is there"
    )
    parser.add_argument("--save", type=Path, help="a file that each report is added to, as a line of JSON")
    options = parser.parse_args()
    if options.logs:
        options.logs = options.logs.resolve()
        options.logs.mkdir(parents=True, exist_ok=True)
    programs = listed(options.list, options.only)
    with ThreadPoolExecutor(options.jobs) as pool:
        outcomes = []
        for outcome in pool.map(lambda program: run(program, options.root, options.seconds, options.logs), programs):
            outcomes.append(outcome)
            print(f"{len(outcomes)} of {len(programs)}: {outcome.program.name}", file=sys.stderr)
            if options.save:
                with options.save.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({**vars(outcome.program), **outcome.report}) + "\n")
    for line in (*details(outcomes), "", *table(outcomes)):
        print(line)
    return 1 if any(outcome.counts["wrong"] or outcome.stages["wrong"] for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
