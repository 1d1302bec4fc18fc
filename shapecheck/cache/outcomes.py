"""What was found in a file, as JSON, beside everything that it depends on."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any

from shapecheck import ir
from shapecheck.cache.store import Store
from shapecheck.file_result import FileResult, Statistics, Syntax
from shapecheck.findings import Certainty, Edit, Finding, Fix, Frame, Operand, Severity
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.project.recorded_files import Answer, Question, RecordedFiles, meaning_key, text_digest
from shapecheck.source import Place, Source

Answers = dict[str, dict[str, dict[str, Answer]]]


class Outcomes:
    """The outcomes that a store has for the files of a run."""

    def __init__(self, store: Store, known: ParsedFiles) -> None:
        self._store, self._known = store, known
        self._about_run = json.dumps([os.getcwd(), *astuple(known.common)])
        self._held: defaultdict[tuple[str, str], dict[str, Answer]] = defaultdict(dict)

    def get(self, source: Source) -> FileResult | None:
        """What was found in a file, if all that it depends on is as it was."""
        found = self._load("outcomes", self._key(source))
        try:
            if found is None or not self._holds(found["asked"]):
                return None
            return _Reading(self._known.files).outcome(found)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            return None

    def put(self, source: Source, outcome: FileResult) -> None:
        if outcome.problems:
            return
        told = {"asked": _grouped(outcome.asked), **_outcome(outcome)}
        self._store.put("outcomes", self._key(source), json.dumps(told, separators=(",", ":")).encode())

    def syntax(self, source: Source) -> Syntax | None:
        found = self._load("syntax", meaning_key(source))
        try:
            return None if found is None else Syntax(tuple(ir.Fault(str(m), int(at)) for m, at in found["faults"]))
        except (KeyError, TypeError, ValueError):
            return None

    def put_syntax(self, source: Source, syntax: Syntax) -> None:
        if not syntax.unread:
            told = {"faults": [[fault.message, fault.start] for fault in syntax.faults]}
            self._store.put("syntax", meaning_key(source), json.dumps(told).encode())

    def _load(self, kind: str, key: str) -> Any:
        data = self._store.get(kind, key)
        try:
            return None if data is None else json.loads(data)
        except (ValueError, RecursionError):
            return None

    def _holds(self, asked: Answers) -> bool:
        return all(
            names.items() <= self._held[kind, folder].items() or self._still(kind, folder, names)
            for kind, folders in asked.items()
            for folder, names in folders.items()
        )

    def _still(self, kind: str, folder: str, names: dict[str, Answer]) -> bool:
        """Whether the answers of a folder are what they were; files of one project have asked for much the same."""
        answer = self._known.files.answer
        if any(answer(Question(kind, os.path.join(folder, name))) != told for name, told in names.items()):
            return False
        self._held[kind, folder].update(names)
        return True

    def _key(self, source: Source) -> str:
        return text_digest(f"{self._about_run}\n{source.filename}\n{meaning_key(source)}")


def _grouped(asked: Mapping[Question, Answer]) -> Answers:
    """Questions with their answers: by kind, by folder, by name."""
    grouped: Answers = {}
    for question, answer in asked.items():
        folder, name = os.path.split(question.path)
        grouped.setdefault(question.kind, {}).setdefault(folder, {})[name] = answer
    return grouped


# --- writing ---------------------------------------------------------------------------------------------------------


def _outcome(outcome: FileResult) -> dict[str, object]:
    numbers = outcome.statistics
    counts = [numbers.tensors_known, numbers.tensors_total, numbers.unmodelled, numbers.lost, numbers.budgets]
    return {
        "findings": [_finding(finding) for finding in outcome.findings],
        "statistics": [*counts, list(numbers.endings)],
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "rule": [finding.code, finding.name, finding.category, finding.severity.value, finding.certainty.value],
        "place": _place(finding.place),
        "message": finding.message,
        "operands": [
            [operand.text, operand.shape, operand.origin and _place(operand.origin), operand.origin_text]
            for operand in finding.operands
        ],
        "call_path": [[_place(frame.place), frame.function] for frame in finding.call_path],
        "guards": list(finding.guards),
        "witness": finding.witness,
        "help": finding.help,
        "fix": finding.fix and _fix(finding.fix),
    }


def _fix(fix: Fix) -> list[object]:
    return [fix.title, [[_place(edit.place), edit.text] for edit in fix.edits], fix.is_safe]


def _place(place: Place) -> list[str | int]:
    return [place.filename, place.start, place.end]


# --- reading ---------------------------------------------------------------------------------------------------------


class _Reading:
    """Makes findings of JSON again; raises what malformed JSON makes it raise."""

    def __init__(self, files: RecordedFiles) -> None:
        self._files = files

    def outcome(self, told: dict[str, Any]) -> FileResult:
        known, total, unmodelled, lost, budgets, endings = told["statistics"]
        numbers = Statistics(int(known), int(total), Counter(unmodelled), Counter(lost), int(budgets), Counter(endings))
        return FileResult(tuple(map(self._finding, told["findings"])), (), numbers)

    def _finding(self, told: dict[str, Any]) -> Finding:
        code, name, category, severity, certainty = told["rule"]
        return Finding(
            code,
            name,
            category,
            Severity(severity),
            Certainty(certainty),
            self._place(told["place"]),
            told["message"],
            tuple(
                Operand(text, shape, self._place(origin) if origin else None, origin_text)
                for text, shape, origin, origin_text in told["operands"]
            ),
            tuple(Frame(self._place(place), function) for place, function in told["call_path"]),
            tuple(told["guards"]),
            {str(symbol): int(size) for symbol, size in told["witness"].items()},
            told["help"],
            fix=self._fix(*told["fix"]) if told["fix"] else None,
        )

    def _fix(self, title: str, edits: list[list[Any]], is_safe: bool) -> Fix:
        return Fix(title, tuple(Edit(self._place(place), text) for place, text in edits), is_safe)

    def _place(self, told: list[Any]) -> Place:
        filename, start, end = told
        source = self._files.source(Path(filename))
        if source is None or not 0 <= start <= end <= len(source.text):
            raise ValueError(filename)
        return Place(source, start, end)
