"""Runs the checker over labelled programs and counts."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from shapecheck.checker.confirm import confirm as replay
from shapecheck.checker.pipeline import check, source_of
from shapecheck.config import Config
from shapecheck.evaluation import cases
from shapecheck.evaluation.equivalence import are_equivalent
from shapecheck.evaluation.labels import Lines, Program
from shapecheck.evaluation.match import Match, match
from shapecheck.findings import Finding, Severity
from shapecheck.fixes.apply import fixed_files
from shapecheck.python_syntax import module_of
from shapecheck.renamed import current_name
from shapecheck.report.html.plots import RuleScore


@dataclass(frozen=True, slots=True)
class Row:
    """The results for one fault: on the buggy program, and on the fixed one, where `others` are false alarms."""

    id: str
    buggy: Match
    fixed: Match
    problems: tuple[str, ...]

    @property
    def found(self) -> bool:
        return bool(self.buggy.hits)


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts of programs: a fixed program with a false finding costs precision once."""

    programs: int
    found: int
    false: int
    elsewhere: int

    @property
    def recall(self) -> float:
        return self.found / self.programs if self.programs else 1.0

    @property
    def precision(self) -> float:
        return self.found / (self.found + self.false) if self.found + self.false else 1.0


def score(
    programs: Sequence[Program], root: Path, confirm: str | None = None, accept: Set[tuple[str, str]] = frozenset()
) -> Iterator[Row]:
    """Yield one row per program as it is done; `confirm` names the devices for replays, `accept` the rules whose
    findings on a fixed program are right, each with the program's id."""
    for program in programs:
        buggy, trouble = _findings([root / name for name in program.buggy], confirm)
        fixed, more = _findings([root / name for name in program.fixed], confirm)
        known = match(fixed, _at(root, program.known_on_fixed))
        yield Row(
            program.id,
            match(buggy, _at(root, program.lines)),
            _with_accepted(known, {rule for id_, rule in accept if id_ == program.id}),
            (*trouble, *more),
        )


def _with_accepted(found: Match, rules: Set[str]) -> Match:
    """Return the match with the findings of these rules among the hits."""
    accepted = tuple(finding for finding in found.others if finding.name in rules)
    return Match((*found.hits, *accepted), tuple(finding for finding in found.others if finding not in accepted))


def total(rows: Sequence[Row]) -> Totals:
    return Totals(
        len(rows),
        sum(row.found for row in rows),
        sum(bool(row.fixed.others) for row in rows),
        sum(len(row.buggy.others) for row in rows),
    )


def _at(root: Path, lines: Lines) -> Mapping[Path, Set[int]]:
    return {root / name: rows for name, rows in lines.items()}


def _findings(
    files: Sequence[Path], confirm: str | None = None, config: Config | None = None
) -> tuple[Sequence[Finding], list[str]]:
    if not files:
        return [], []
    result = check(files, config or Config(), replayable=bool(confirm))
    return (replay(result, confirm) if confirm else result.findings), result.problems


# --- the corpus ------------------------------------------------------------------------------------------------------


NONE, OFFERED, EQUIVALENT, AS_ITS_AUTHOR = "none", "offered", "equivalent", "as its author"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One case or clean program of the corpus; `deviations` are its differences from the label. `repair` tells
    whether an error that is found has a fix: NONE, OFFERED, EQUIVALENT, if that gives a program with the operations of
    the mended one, or AS_ITS_AUTHOR, if it gives the mended program itself. `rule` is the one that the label names,
    `false` are those that report working programs."""

    name: str
    expect: str
    outcome: str
    deviations: tuple[str, ...]
    repair: str = ""
    rule: str = ""
    false: tuple[str, ...] = ()


def by_rule(verdicts: Sequence[Verdict]) -> list[RuleScore]:
    """Return for each rule how often it is expected, found, and reported in working programs."""
    labelled = Counter(verdict.rule for verdict in verdicts if verdict.rule)
    found = Counter(verdict.rule for verdict in verdicts if verdict.rule and verdict.outcome == "found")
    false = Counter(name for verdict in verdicts for name in set(verdict.false))
    return [RuleScore(name, labelled[name], found[name], false[name]) for name in sorted({*labelled, *false})]


def judge(corpus: Path) -> Iterator[Verdict]:
    """Yield the verdict on each pair and each clean program; raises BadLabels."""
    for folder, case in cases.pairs(corpus):
        yield _judge_pair(folder.relative_to(corpus).as_posix(), folder, case)
    for program in cases.clean(corpus):
        findings, problems = _findings([program])
        deviations = (*problems, *(f"false alarm {_told(finding)}" for finding in findings))
        name, outcome = program.relative_to(corpus).as_posix(), "reported" if findings else "silent"
        yield Verdict(name, "silent", outcome, deviations, false=tuple(finding.name for finding in findings))


def _judge_pair(name: str, folder: Path, case: cases.Case) -> Verdict:
    config = Config(target={"keras": "2"} if case.env.get("TF_USE_LEGACY_KERAS") else {}, fixes=1)
    buggy, problems = _findings([folder / "buggy.py"], config=config)
    fixed, more = _findings([folder / "fixed.py"], config=config)
    found = match(buggy, {folder / "buggy.py": frozenset(case.lines)})
    right = [finding for finding in found.hits if not case.rule or finding.name == current_name(case.rule)]
    deviations = [*problems, *more, *(f"false alarm {_told(finding)}" for finding in fixed)]
    if case.expect == "found" and not right:
        instead = ", ".join(_told(finding) for finding in buggy) or "nothing"
        deviations.append(f"expected {case.rule} in line {_rows(case.lines)}, got {instead}")
    if case.expect != "found" and right:
        deviations.append(f"expected to be {case.expect}, but it is found: {', '.join(map(_told, right))}")
    repair = _repair(right[0], folder / "fixed.py", config) if right else ""
    outcome, rule = "found" if right else "missed", current_name(case.rule) if case.rule else ""
    return Verdict(name, case.expect, outcome, tuple(deviations), repair, rule, tuple(each.name for each in fixed))


def _repair(finding: Finding, fixed: Path, config: Config) -> str:
    """Return whether an error has a fix, and how like the program that its author has written this makes it."""
    if finding.severity is not Severity.ERROR:
        return ""
    mended = next(fixed_files([finding], unsafe=True), None)
    if mended is None:
        return NONE
    ours, wanted = module_of(mended.text), module_of(fixed.read_text(encoding="utf-8"))
    if ours is not None and wanted is not None and ast.dump(ours) == ast.dump(wanted):
        return AS_ITS_AUTHOR
    return EQUIVALENT if are_equivalent(mended.edited, source_of(fixed), config) else OFFERED


def _told(finding: Finding) -> str:
    return f"{finding.name} at {Path(finding.place.filename).name}:{finding.place.row}"


def _rows(lines: Sequence[int]) -> str:
    return " or ".join(str(line) for line in lines)
