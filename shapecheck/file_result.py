"""The result of checking a file, as plain data that is quick to load."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from shapecheck import ir
from shapecheck.findings import Finding
from shapecheck.project.recorded_files import Answer, Query


@dataclass
class Statistics:
    """Measures of the analysis: library results with a known shape, names without a model, reasons for losses,
    exhausted budgets, the places where programs end before their text does, and the evaluation steps spent on functions
    and loops."""

    tensors_known: int = 0
    tensors_total: int = 0
    unmodelled: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    budgets: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    spent: Counter[str] = field(default_factory=Counter)

    def add(self, other: Statistics) -> None:
        self.tensors_known += other.tensors_known
        self.tensors_total += other.tensors_total
        self.unmodelled += other.unmodelled
        self.lost += other.lost
        self.budgets += other.budgets
        self.endings |= other.endings
        self.spent += other.spent


@dataclass(frozen=True, slots=True)
class FileResult:
    """The result of tracing a file: findings in it and in what it imports, one line for each internal error, and the
    queries that all this depends on."""

    findings: tuple[Finding, ...] = ()
    problems: tuple[str, ...] = ()
    statistics: Statistics = field(default_factory=Statistics)
    dependencies: Mapping[Query, Answer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Syntax:
    """The syntax errors of a file, and code that Python accepts and the frontend does not."""

    faults: tuple[ir.Fault, ...] = ()
    unread: tuple[ir.Fault, ...] = ()
