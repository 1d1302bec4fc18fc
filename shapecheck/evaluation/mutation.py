"""Recall and false alarms on mutants, each of which is run on the real libraries and checked."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from shapecheck.checker.pipeline import check
from shapecheck.config import Config
from shapecheck.evaluation import cases
from shapecheck.evaluation.mutate import Mutant, mutants
from shapecheck.findings import Finding, Severity
from shapecheck.frontend.unparsable import UnparsableSource
from shapecheck.project.versions import OLD_TENSORFLOW
from shapecheck.runtime.replay.devices import CPU
from shapecheck.runtime.replay.supervise import Setup, Worker, WorkerDied
from shapecheck.runtime.replay.verdict import is_about_shapes, one_line
from shapecheck.source import UnreadableSource, read

SECONDS = 60.0
MEGABYTES = 4096
Fate = Literal["killed", "survived", "other"]

_ABOUT_VALUES = re.compile(r"label value of|must be positive|cannot be negative|probabilities do not sum")

_LAUNCH = """
import os, runpy, sys
from shapecheck.runtime.recording import standins
from shapecheck.runtime.recording.recorder import Recorder
if {old_names}:
    import tensorflow.compat.v1 as tf1
    tf1.disable_v2_behavior()
    sys.modules["tensorflow"] = tf1
standins.begin(Recorder(os.open(os.devnull, os.O_WRONLY)), is_tf1=False, synthetic={short})
sys.argv = [{script!r}]
sys.path.insert(0, {folder!r})
runpy.run_path({script!r}, run_name="__main__")
"""


@dataclass(frozen=True, slots=True)
class Program:
    """A working program without findings."""

    name: str
    script: Path
    legacy_keras: bool = False
    old_names: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """The fate of a mutant, the library's error if it was killed, and the checker's first error."""

    mutant: Mutant
    fate: Fate
    error: str
    finding: Finding | None


@dataclass(frozen=True, slots=True)
class Row:
    """The mutants of one program; `problem` says why there are none."""

    program: Program
    verdicts: Sequence[Verdict] = ()
    problem: str = ""

    def those(self, fate: Fate, found: bool) -> list[Verdict]:
        return [each for each in self.verdicts if each.fate == fate and (each.finding is not None) is found]


def programs(folder: Path) -> list[Program]:
    """Return the clean and the fixed programs of a corpus; of any other folder, its Python files."""
    pairs = cases.pairs(folder)
    if not pairs and not cases.clean(folder):
        return [_plain(path, folder) for path in sorted(folder.rglob("*.py"))]
    found = [Program(path.name, path / "main.py", _is_legacy(path / "main.py")) for path in cases.clean(folder)]
    for path, case in pairs:
        if case.runs:
            script = path / "fixed.py"
            legacy = bool(case.env) or _is_legacy(script)
            old = case.framework == "tf1" and "compat.v1" not in script.read_text(encoding="utf-8")
            found.append(Program(path.name, script, legacy, old))
    return found


def _plain(script: Path, folder: Path) -> Program:
    text = script.read_text(encoding="utf-8", errors="replace")
    old = OLD_TENSORFLOW.search(text) is not None and "compat.v1" not in text
    return Program(str(script.relative_to(folder)), script, old or _is_legacy(script), old)


def _is_legacy(script: Path) -> bool:
    return "TF_USE_LEGACY_KERAS" in script.read_text(encoding="utf-8", errors="replace")


def evaluate(programs: Sequence[Program], most: int) -> Iterator[Row]:
    """Yield the mutants of each program, at most `most` of one program, as they are evaluated."""
    workers: dict[bool, Worker] = {}
    try:
        for program in programs:
            setup = Setup(("tensorflow", "tf_keras" if program.legacy_keras else "keras"), CPU, program.legacy_keras)
            yield _row(program, workers.setdefault(program.legacy_keras, Worker(setup)), most)
    finally:
        for worker in workers.values():
            worker.close()


def _row(program: Program, worker: Worker, most: int) -> Row:
    try:
        source = read(program.script)
        changed = mutants(source, most)
    except (UnreadableSource, UnparsableSource) as error:
        return Row(program, problem=str(error))
    with tempfile.TemporaryDirectory(prefix="shapecheck-") as place:
        folder = Path(place) / program.script.parent.name
        shutil.copytree(program.script.parent, folder)
        script = folder / program.script.name
        before = _fate(program, worker, script)
        if before[0] != "survived":
            return Row(program, problem=f"does not run as it is: {before[1]}")
        if _error(program, script) is not None:
            return Row(program, problem="has an error as it is")
        return Row(program, [_verdict(program, worker, script, mutant) for mutant in changed])


def _verdict(program: Program, worker: Worker, script: Path, mutant: Mutant) -> Verdict:
    script.write_text(mutant.text, encoding="utf-8")
    fate, error = _fate(program, worker, script)
    found = _error(program, script)
    if fate == "survived" and found is not None:  # in the two steps that training takes with stand-ins
        fate, error = _fate(program, worker, script, whole=True)
    return Verdict(mutant, fate, error, found)


def _error(program: Program, script: Path) -> Finding | None:
    config = Config(target={"keras": "2"} if program.legacy_keras else {})
    errors = (each for each in check([script], config).findings if each.severity is Severity.ERROR)
    return next(errors, None)


def _fate(program: Program, worker: Worker, script: Path, whole: bool = False) -> tuple[Fate, str]:
    """Return whether a program runs, and its error if not; an error not about shapes, or a timeout, does not kill
    it."""
    names = {"old_names": program.old_names, "short": not whole}
    launch = _LAUNCH.format(script=str(script), folder=str(script.parent), **names)
    job: dict[str, Any] = {"program": launch, "names": [], "mode": "plain", "modules": worker.setup.modules}
    try:
        answer = worker.ask({**job, "seconds": SECONDS, "megabytes": MEGABYTES})
    except WorkerDied as error:
        return "other", str(error)
    if answer["status"] == "ran" or _ended_well(answer):
        return "survived", ""
    if answer["status"] != "raised":
        return "other", answer.get("text", answer["status"])
    said = f"{answer['classes'][0]}: {one_line(answer['text'])}"
    return ("killed" if is_kill(answer["classes"], answer["text"]) else "other"), said


def is_kill(classes: Sequence[str], text: str) -> bool:
    """Return whether an error is about shapes rather than the values that a mutant computes."""
    return is_about_shapes(classes, text) and not _ABOUT_VALUES.search(text)


def _ended_well(answer: dict[str, Any]) -> bool:
    """Return whether the program exited by itself with success."""
    return "SystemExit" in answer.get("classes", ()) and answer["text"] in ("", "0", "None", "False")
