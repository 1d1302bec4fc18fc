"""Repairs of the programs of the corpus: each keeps its promise, and the mended programs run."""

from __future__ import annotations

import ast
import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from shapecheck.checker.pipeline import check
from shapecheck.config import Config
from shapecheck.evaluation.mutate import mutants
from shapecheck.findings import Fix
from shapecheck.fixes.apply import fixed_files, write_all
from shapecheck.source import Source
from tests.support.cases import BUGS, CLEAN, read_case, setting_of
from tests.support.environments import JAX, PYTORCH, Environment
from tests.support.programs import Parents
from tests.support.promises import broken_promises, checked, edited
from tests.support.recorded_runs import unless_recorded

PROGRAMS = [folder / "buggy.py" for folder in BUGS]
WORKING = [*(folder / "main.py" for folder in CLEAN), *(folder / "fixed.py" for folder in BUGS)]
RUN = """
import contextlib, io, json, sys, warnings
warnings.simplefilter("ignore")
failed = {}
for name, program in json.load(sys.stdin).items():
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(program, name, "exec"), {"__name__": "__main__"})
    except Exception as error:
        failed[name] = repr(error)
json.dump(failed, sys.stdout)
"""


@pytest.mark.parametrize(
    ("library", "families", "least"),
    [(PYTORCH, ("torch-",), 100), (JAX, ("jax-", "flax-", "nnx-", "optax-", "haiku-", "equinox-"), 60)],
)
def test_mended_programs_of_packs_run(
    library: Environment, families: tuple[str, ...], least: int, tmp_path: Path
) -> None:
    """A fix of the only finding of a program lets it run to its end."""
    if not library.is_there:
        pytest.skip(f"{library.name} is not there: make diff-packs")
    mended = {}
    for program in (each for each in PROGRAMS if each.parent.name.startswith(families)):
        found = checked(program.read_text(encoding="utf-8"), str(program))
        for fix in found[0].fixes if len(found) == 1 else ():
            mended[f"{program.parent.name}: {fix.title}"] = edited(fix)
    command = [library.python, "-c", RUN]
    ran = subprocess.run(command, input=json.dumps(mended), capture_output=True, text=True, check=True, cwd=tmp_path)
    assert len(mended) > least
    assert json.loads(ran.stdout) == {}


@pytest.mark.parametrize("program", random.Random(5).sample(PROGRAMS, 40), ids=lambda path: path.parent.name)
def test_a_fix_removes_its_finding_and_brings_no_other(program: Path) -> None:
    assert list(broken_promises(checked(program.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize(
    "program", random.Random(7).sample(WORKING, 8), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_fixes_of_mutants(program: Path) -> None:
    source = Source(str(program), program.read_text(encoding="utf-8"))
    for mutant in mutants(source, 6):
        assert list(broken_promises(checked(mutant.text))) == []


@pytest.mark.parametrize("program", random.Random(8).sample(PROGRAMS, 8), ids=lambda path: path.parent.name)
def test_safe_fixes_are_applied_once_and_change_nothing_else(program: Path, tmp_path: Path) -> None:
    text = "# \N{LATIN SMALL LETTER E WITH ACUTE}\n" + program.read_text(encoding="utf-8")
    path = tmp_path / "program.py"
    path.write_bytes(text.replace("\n", "\r\n").encode("utf-8-sig"))
    before = path.read_bytes()
    found = check([path], Config(fixes=1)).findings
    write_all(fixed_files(found, unsafe=False), [])
    once = path.read_bytes()
    write_all(fixed_files(check([path], Config(fixes=1)).findings, unsafe=False), [])
    assert path.read_bytes() == once
    assert once.startswith(before[:8])
    assert once.count(b"\r\n") == once.count(b"\n")
    changed = {row for finding in found if finding.fix and finding.fix.is_safe for row in rows(finding.fix)}
    kept = [line for row, line in enumerate(before.split(b"\r\n"), 1) if row not in changed]
    assert [line for line in kept if line not in once.split(b"\r\n")] == []


def rows(fix: Fix) -> Iterator[int]:
    for edit in fix.edits:
        yield from range(edit.place.row, edit.place.source.position(edit.place.end)[0] + 1)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.parent.name)
def test_a_program_with_its_fixes_runs_and_each_fix_removes_its_finding(
    program: Path, tmp_path: Path, parents: Parents
) -> None:
    case = read_case(program.parent)
    keras = "2" if case.env else ""
    found = checked(program.read_text(encoding="utf-8"), str(program), keras)
    assert list(broken_promises(found, keras)) == []
    fixed = list(fixed_files(found, unsafe=True))
    case.skip_if_not_run()
    if not fixed or not all(finding.fixes for finding in found):
        pytest.skip("not all that is found has a fix")
    if ast.dump(ast.parse(fixed[0].text)) == ast.dump(ast.parse((program.parent / "fixed.py").read_text())):
        pytest.skip("it is what the author wrote, which is run as part of the corpus")
    path = tmp_path / "fixed.py"
    path.write_text(fixed[0].text, encoding="utf-8")
    setting = setting_of(fixed[0].text, case)
    with unless_recorded(fixed[0].text, setting):
        outcome = parents.run(path, setting)
        assert outcome.raised == "none", outcome.output
