"""Cache of the results of files, as JSON, each with everything that it depends on."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

from shapecheck import ir
from shapecheck.cache.shared import SharedStore
from shapecheck.cache.store import Store
from shapecheck.file_result import FileResult, Statistics, Syntax
from shapecheck.findings import Certainty, Edit, Finding, Fix, Frame, Operand, Related, Severity
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.project.recorded_files import Answer, Query, RecordedFiles, parse_key, text_digest
from shapecheck.source import Place, Source

Answers = dict[str, dict[str, dict[str, Answer]]]


class FileResultCache:
    """The results that a store has for the files of a run, with a number of fixes for each finding."""

    def __init__(self, store: Store, known: ParsedFiles, fixes: int = 0) -> None:
        self._store, self._known = store, known
        self._run_key = json.dumps([fixes, known.data_folders, *astuple(known.common)])
        self._confirmed: defaultdict[tuple[str, str], dict[str, Answer]] = defaultdict(dict)

    def get(self, source: Source) -> FileResult | None:
        """Return the result of a file if all that it depends on is unchanged."""
        found = self._load("results", self._key(source))
        try:
            if found is None or not self._is_valid(found["dependencies"]):
                return None
            return _Decoder(self._known.files).result(found)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            return None

    def put(self, source: Source, result: FileResult) -> None:
        if result.problems:
            return
        self._store.put("results", self._key(source), encoded(result))

    def bring(self, shared: SharedStore, sources: Sequence[Source]) -> None:
        """Store the results that a shared store has for files; whether they are valid here is seen when they are
        read."""
        names = {self._shared_key(source): self._key(source) for source in sources}
        for name, data in shared.get(names).items():
            self._store.put("results", names[name], data)

    def share(self, shared: SharedStore, sources: Sequence[Source]) -> None:
        """Give a shared store the stored results of files."""
        stored = {self._shared_key(source): self._store.get("results", self._key(source)) for source in sources}
        shared.put({name: data for name, data in stored.items() if data is not None})

    def syntax(self, source: Source) -> Syntax | None:
        found = self._load("syntax", parse_key(source))
        try:
            return None if found is None else Syntax(tuple(ir.Fault(str(m), int(at)) for m, at in found["faults"]))
        except (KeyError, TypeError, ValueError):
            return None

    def put_syntax(self, source: Source, syntax: Syntax) -> None:
        if not syntax.unread:
            entry = {"faults": [[fault.message, fault.start] for fault in syntax.faults]}
            self._store.put("syntax", parse_key(source), json.dumps(entry).encode())

    def _load(self, kind: str, key: str) -> Any:
        data = self._store.get(kind, key)
        try:
            return None if data is None else json.loads(data)
        except (ValueError, RecursionError):
            return None

    def _is_valid(self, dependencies: Answers) -> bool:
        return all(
            names.items() <= self._confirmed[kind, folder].items() or self._is_unchanged(kind, folder, names)
            for kind, folders in dependencies.items()
            for folder, names in folders.items()
        )

    def _is_unchanged(self, kind: str, folder: str, names: dict[str, Answer]) -> bool:
        """Return whether the answers about a folder are the same; the files of a project depend on much the same
        answers."""
        answer = self._known.files.answer
        if any(answer(Query(kind, os.path.join(folder, name))) != entry for name, entry in names.items()):
            return False
        self._confirmed[kind, folder].update(names)
        return True

    def _key(self, source: Source) -> str:
        return text_digest(f"{os.getcwd()}\n{self._shared_key(source)}")

    def _shared_key(self, source: Source) -> str:
        """Return a key that is the same wherever a project lies: paths in results are relative."""
        told = source.text if source.cells else ""  # its commands and its kernel tell versions
        return text_digest(f"{self._run_key}\n{source.filename}\n{parse_key(source)}\n{source.python}\n{told}")


def _grouped(dependencies: Mapping[Query, Answer]) -> Answers:
    """Return queries with their answers, by kind, folder and name."""
    grouped: Answers = {}
    for question, answer in dependencies.items():
        folder, name = os.path.split(question.path)
        grouped.setdefault(question.kind, {}).setdefault(folder, {})[name] = answer
    return grouped


# --- writing ---------------------------------------------------------------------------------------------------------


def encoded(result: FileResult) -> bytes:
    """Return a result as JSON, with what it depends on and without its problems."""
    entry = {"dependencies": _grouped(result.dependencies), **_encoded(result)}
    return json.dumps(entry, separators=(",", ":")).encode()


def _encoded(result: FileResult) -> dict[str, object]:
    numbers = result.statistics
    counts = [numbers.tensors_known, numbers.tensors_total, numbers.unmodelled, numbers.lost, numbers.budgets]
    return {
        "findings": [_finding(finding) for finding in result.findings],
        "statistics": [*counts, list(numbers.endings), numbers.spent],
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
        "fixes": [_fix(fix) for fix in finding.fixes],
        "causes": [finding.causes, finding.follows],
        "related": [[_place(related.place), related.message] for related in finding.related],
    }


def _fix(fix: Fix) -> list[object]:
    return [fix.title, [[_place(edit.place), edit.text] for edit in fix.edits], fix.is_safe, fix.is_tried]


def _place(place: Place) -> list[str | int]:
    return [place.filename, place.start, place.end]


# --- reading ---------------------------------------------------------------------------------------------------------


def decoded(data: bytes, files: RecordedFiles) -> FileResult:
    """Return the result that `encoded` wrote; malformed JSON raises whatever error it causes."""
    entry = json.loads(data)
    dependencies = {
        Query(kind, os.path.join(folder, name)): answer
        for kind, folders in entry["dependencies"].items()
        for folder, names in folders.items()
        for name, answer in names.items()
    }
    return replace(_Decoder(files).result(entry), dependencies=dependencies)


class _Decoder:
    """Restores findings from JSON; malformed JSON raises whatever error it causes."""

    def __init__(self, files: RecordedFiles) -> None:
        self._files = files

    def result(self, entry: dict[str, Any]) -> FileResult:
        known, total, unmodelled, lost, budgets, endings, spent = entry["statistics"]
        counters = Counter(unmodelled), Counter(lost), int(budgets), Counter(endings), Counter(spent)
        numbers = Statistics(int(known), int(total), *counters)
        return FileResult(tuple(map(self._finding, entry["findings"])), (), numbers)

    def _finding(self, entry: dict[str, Any]) -> Finding:
        code, name, category, severity, certainty = entry["rule"]
        return Finding(
            code,
            name,
            category,
            Severity(severity),
            Certainty(certainty),
            self._place(entry["place"]),
            entry["message"],
            tuple(
                Operand(text, shape, self._place(origin) if origin else None, origin_text)
                for text, shape, origin, origin_text in entry["operands"]
            ),
            tuple(Frame(self._place(place), function) for place, function in entry["call_path"]),
            tuple(entry["guards"]),
            {str(symbol): int(size) for symbol, size in entry["witness"].items()},
            entry["help"],
            fixes=tuple(self._fix(*fix) for fix in entry["fixes"]),
            causes=tuple(entry["causes"][0]),
            follows=tuple(entry["causes"][1]),
            related=tuple(Related(self._place(place), message) for place, message in entry["related"]),
        )

    def _fix(self, title: str, edits: list[list[Any]], is_safe: bool, is_tried: bool) -> Fix:
        return Fix(title, tuple(Edit(self._place(place), text) for place, text in edits), is_safe, is_tried)

    def _place(self, entry: list[Any]) -> Place:
        filename, start, end = entry
        source = self._files.source(Path(filename))
        if source is None or not 0 <= start <= end <= len(source.text):
            raise ValueError(filename)
        return Place(source, start, end)
