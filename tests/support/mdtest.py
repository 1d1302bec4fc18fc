"""Markdown pages as tests: the comments must agree with the checker and with the real libraries.

A heading is a test; the `py` blocks under it are one program.  Each program is checked statically and, unless a block
says `run=no`, really run.  CONTRIBUTING.md describes the comments.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from _pytest._code.code import TerminalRepr

from shapecheck import toml
from shapecheck.config import Config
from shapecheck.config_files import from_table
from tests.support.generated import skip_if_other_release
from tests.support.mdreplay import Replayer, agrees, claimed_values

if TYPE_CHECKING:
    from shapecheck.findings import Finding

_HEADING = re.compile(r"(#+)\s+(.+?)\s*$")
_FENCE = re.compile(r"(`{3,})\s*(\S*)\s*(.*?)\s*$")
_FILE = re.compile(r"`([\w./-]+\.\w+|Pipfile)`:\s*$")
_PART = re.compile(r'#((?:[^#"]|"[^"]*")*)')
_FINDING = re.compile(r'(error|warn|perf|info)(?::\s*(?:\[([\w-]+)\])?\s*(?:"([^"]*)")?)?')
_REVEAL = re.compile(r"reveal:\s*(.+)")
_ASSERTING = re.compile(r"(error|warn|perf|info|reveal)\b")
_CLAIMS = re.compile(r"# (?:error|warn|perf|info|reveal)\b.*")
MAIN = "main.py"


@dataclass(frozen=True, slots=True)
class Claim:
    """One comment: `kind` is error, warn, perf, info, reveal or related; `expected` the rule or the shape, or empty for
    any. A section with one that is `related` claims where all findings are told with an earlier one."""

    kind: str
    file: str
    row: int
    expected: str
    quote: str = ""
    todo: bool = False


@dataclass(slots=True)
class Section:
    """One test: its programs by file name, and for each of their rows the row of the page."""

    name: str
    row: int
    page_rule: str
    files: dict[str, str] = field(default_factory=dict)
    rows: dict[str, list[int]] = field(default_factory=dict)
    options: dict[str, object] = field(default_factory=dict)
    runs: bool = True

    def add(self, file: str, lines: list[str], first_row: int) -> None:
        self.files[file] = self.files.get(file, "") + "".join(line + "\n" for line in lines)
        self.rows.setdefault(file, []).extend(range(first_row, first_row + len(lines)))


def sections(text: str, is_rule_page: bool = False) -> list[Section]:
    """Return the sections of a page that hold a program; a `toml` block also holds for the headings below its own."""
    lines = text.splitlines()
    found: list[Section] = []
    titles: list[str] = []
    options: list[dict[str, object]] = []
    index = 0
    while index < len(lines):
        heading, fence = _HEADING.match(lines[index]), _FENCE.match(lines[index])
        if heading:
            level = len(heading[1]) - 1
            titles[level:] = [heading[2]]
            options[level:] = [{}]
            page_rule = titles[0] if is_rule_page else ""
            found.append(Section(" / ".join(titles[1:]) or titles[0], index + 1, page_rule))
            found[-1].options = _merged(options)
        if fence and found:
            end = next((at for at in range(index + 1, len(lines)) if lines[at].strip() == fence[1]), len(lines))
            body = lines[index + 1 : end]
            file = _named(lines, index)
            if fence[2] == "py" or file != MAIN:
                found[-1].add(file, body, index + 2)
                found[-1].runs &= "run=no" not in fence[3]
            elif fence[2] == "toml":
                options[-1].update(toml.loads("\n".join(body)))
                found[-1].options = _merged(options)
            index = end
        index += 1
    return [section for section in found if section.files]


def _merged(levels: list[dict[str, object]]) -> dict[str, object]:
    return {key: value for level in levels for key, value in level.items()}


def _named(lines: list[str], fence: int) -> str:
    """Return the file that a block belongs to: named in the line before it, otherwise the main program."""
    before = next((line for line in reversed(lines[:fence]) if line.strip()), "")
    named = _FILE.search(before)
    return named[1] if named else MAIN


def claims(section: Section) -> list[Claim]:
    """Return the claims in the comments of a section; a comment in a line of its own refers to the next line."""
    found: list[Claim] = []
    for file, text in section.files.items():
        for comment, row, column in _comments(text) if file.endswith(".py") else ():
            alone = not text.splitlines()[row - 1][:column].strip()
            found += _parse(comment, section, file, row + alone)
    return found


def _comments(text: str) -> list[tuple[str, int, int]]:
    """Return the comments with their rows and columns; of a text that is no Python, the claims alone."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        rows = enumerate(text.splitlines(), 1)
        return [(found[0], number, found.start()) for number, row in rows if (found := _CLAIMS.search(row))]
    return [(token.string, *token.start) for token in tokens if token.type == tokenize.COMMENT]


def _parse(comment: str, section: Section, file: str, row: int) -> Iterator[Claim]:
    parts = [part.strip() for part in _PART.findall(comment)]
    todo = any(part.startswith("todo:") for part in parts)
    for part in parts:
        finding, reveal = _FINDING.fullmatch(part), _REVEAL.fullmatch(part)
        if finding:
            yield Claim(finding[1], file, row, finding[2] or section.page_rule, finding[3] or "", todo)
        elif part == "related":
            yield Claim("related", file, row, "", "", todo)
        elif reveal:
            yield Claim("reveal", file, row, " ".join(reveal[1].split()), "", todo)
        elif _ASSERTING.match(part):
            raise ValueError(f"{file}:{row}: not an assertion: # {part}")


# --- the static pass -------------------------------------------------------------------------------------------------


def check_static(section: Section, folder: Path) -> list[tuple[str, int, str]]:
    """Yield file, row and text of each disagreement of the checker with the comments."""
    from shapecheck.checker.pipeline import check

    for name, text in section.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    config = replace(from_table(section.options, "toml block", folder), min_severity="info")
    result = check([folder], config)
    wrong = [(MAIN, 1, problem) for problem in result.problems]
    all_claims = claims(section)
    wrong_reveals = {(claim.file, claim.row) for claim in all_claims if claim.kind == "reveal" and claim.todo}
    findings = [
        each
        for each in result.findings
        if each.name != "stale-shape-comment"
        or (_file(each.place.filename, folder), each.place.row) not in wrong_reveals
    ]
    told = [claim for claim in all_claims if claim.kind not in ("reveal", "related")]
    wrong += _compare_findings(findings, told, folder)
    wrong += _compare_related(findings, [claim for claim in all_claims if claim.kind == "related"], folder)
    wrong += _compare_shapes([claim for claim in all_claims if claim.kind == "reveal"], section, folder, config)
    return wrong


def _compare_findings(findings: list[Finding], wanted: list[Claim], folder: Path) -> Iterator[tuple[str, int, str]]:
    left = list(findings)
    for claim in wanted:
        hit = next((finding for finding in left if _fits(claim, finding, folder)), None)
        if hit:
            left.remove(hit)
        if bool(hit) == claim.todo:
            told = f"{claim.kind}[{claim.expected or 'any rule'}] {claim.quote!r}"
            yield claim.file, claim.row, f"works now, remove the todo: {told}" if hit else f"not reported: {told}"
    for finding in left:
        told = f"{finding.severity.value}[{finding.name}] {finding.message}"
        yield _file(finding.place.filename, folder), finding.place.row, f"reported but not claimed: {told}"


def _compare_related(findings: list[Finding], wanted: list[Claim], folder: Path) -> Iterator[tuple[str, int, str]]:
    from shapecheck.causes import by_cause

    if not wanted:
        return
    together = [(finding.place, related.place) for finding in by_cause(findings) for related in finding.related]
    found = {(_file(place.filename, folder), place.row) for first, place in together if place != first}
    claimed = {(claim.file, claim.row) for claim in wanted}
    yield from ((file, row, "told with an earlier finding") for file, row in found - claimed)
    yield from ((file, row, "not told with an earlier finding") for file, row in claimed - found)


def _file(filename: str, folder: Path) -> str:
    path = Path(filename).resolve()
    return path.relative_to(folder.resolve()).as_posix() if path.is_relative_to(folder.resolve()) else filename


def _fits(claim: Claim, finding: Finding, folder: Path) -> bool:
    place = finding.place
    return (
        finding.severity.value.startswith(claim.kind)
        and _file(place.filename, folder) == claim.file
        and place.row <= claim.row <= place.end_row
        and claim.expected in ("", finding.name)
        and claim.quote in finding.message
    )


def _compare_shapes(
    wanted: list[Claim], section: Section, folder: Path, config: Config
) -> Iterator[tuple[str, int, str]]:
    from shapecheck.checker.inspect import reveal

    for file in sorted({claim.file for claim in wanted}):
        values = claimed_values(ast.parse(section.files[file]))
        known: Mapping[tuple[int, int, int, int], str] = {
            (item.row, item.column, item.end_row, item.end_column): f"{item.shape} {item.dtype or ''}"
            for item in reveal(folder / file, None, config)
        }
        for claim in (claim for claim in wanted if claim.file == file):
            span = _span(values.get(claim.row), section.files[file].splitlines())
            shape = known.get(span, "") or _widest(known, claim.row)
            right = _same(claim.expected, shape)
            if right == claim.todo:
                told = f"works now, remove the todo: {shape}" if right else f"the shape is {shape or 'not known'}"
                yield file, claim.row, f"claimed {claim.expected}: {told}"


def _span(node: ast.AST | None, lines: list[str]) -> tuple[int, int, int, int]:
    """Return rows and columns, from 1 and in characters."""
    if not isinstance(node, (ast.expr, ast.stmt)) or node.end_lineno is None or node.end_col_offset is None:
        return (0, 0, 0, 0)
    start = len(lines[node.lineno - 1].encode()[: node.col_offset].decode())
    end = len(lines[node.end_lineno - 1].encode()[: node.end_col_offset].decode())
    return (node.lineno, start + 1, node.end_lineno, end + 1)


def _widest(known: Mapping[tuple[int, int, int, int], str], row: int) -> str:
    spans = [span for span in known if span[0] <= row <= span[2]]
    return known[max(spans, key=lambda span: (span[2] - span[0], span[3] - span[1]))] if spans else ""


def _same(expected: str, shape: str) -> bool:
    """Return whether a claim is the shape, with or without the dtype after it."""
    return "".join(expected.split()) in ("".join(shape.split()), "".join(shape.rpartition(" ")[0].split()))


# --- pytest ----------------------------------------------------------------------------------------------------------


class Page(pytest.File):
    """A page; its items are the two passes over each section."""

    def collect(self) -> Iterator[pytest.Item]:
        is_rule_page = "rules" in self.path.parts
        for section in sections(self.path.read_text(encoding="utf-8"), is_rule_page):
            yield Static.from_parent(self, name=section.name, section=section)
            if section.runs:
                yield Replay.from_parent(self, name=f"{section.name} [replay]", section=section)


class Disagreement(Exception):
    """A claim of a page that is not true."""


class _Pass(pytest.Item):
    def __init__(self, *, section: Section, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]
        self.section = section

    def runtest(self) -> None:
        folder = self.config.stash[FOLDERS].mktemp("page")
        wrong = sorted((self.page_row(file, row), told) for file, row, told in self.disagreements(folder))
        if wrong:
            raise Disagreement("\n".join(f"{self.path}:{row}: {told}" for row, told in wrong))

    def page_row(self, file: str, row: int) -> int:
        rows = self.section.rows.get(file, [])
        return rows[row - 1] if 0 < row <= len(rows) else self.section.row

    def disagreements(self, folder: Path) -> list[tuple[str, int, str]]:
        raise NotImplementedError

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str | TerminalRepr:
        if isinstance(excinfo.value, Disagreement):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.section.row - 1, self.name


class Static(_Pass):
    """The test that the checker agrees with the comments."""

    def disagreements(self, folder: Path) -> list[tuple[str, int, str]]:
        return check_static(self.section, folder)


class Replay(_Pass):
    """The test that the real libraries agree with the comments."""

    def __init__(self, *, section: Section, **rest: object) -> None:
        super().__init__(section=section, **rest)
        self.add_marker("slow")

    def disagreements(self, folder: Path) -> list[tuple[str, int, str]]:
        absent = sorted(filter(is_absent, COMPANIONS & imported(self.section)))
        if absent:
            pytest.skip(f"{', '.join(absent)} is not installed")
        found = check_replay(self.section, folder, self.config.stash[REPLAYER])
        skip_if_other_release(found)
        return found


COMPANIONS = frozenset({"cv2", "matplotlib", "PIL", "skimage", "sklearn"})  # that the tests do not install


def is_absent(package: str) -> bool:
    return importlib.util.find_spec(package) is None


def imported(section: Section) -> set[str]:
    """Return the packages that a program imports."""
    nodes = (node for name, text in section.files.items() if name.endswith(".py") for node in ast.walk(ast.parse(text)))
    paths = (
        [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        for node in nodes
        if isinstance(node, (ast.Import, ast.ImportFrom))
    )
    return {path.split(".")[0] for each in paths for path in each}


FOLDERS = pytest.StashKey[pytest.TempPathFactory]()
REPLAYER = pytest.StashKey[Replayer]()


def check_replay(section: Section, folder: Path, replayer: Replayer) -> list[tuple[str, int, str]]:
    """Yield each disagreement of the real libraries with the comments."""
    wanted = claims(section)
    reveals = {(claim.file, claim.row): claim for claim in wanted if claim.kind == "reveal"}
    errors = sorted({(claim.file, claim.row) for claim in wanted if claim.kind == "error"})
    outcome = replayer.run(section.files, folder, list(reveals), errors)
    wrong = [(file, row, f"raises {error}") for file, row, error in outcome.unexpected]
    raised = {(file, row) for file, row in outcome.raised}
    wrong += [(file, row, "does not raise") for file, row in errors if (file, row) not in raised]
    for file, row, real in outcome.observed:
        expected = reveals[file, row].expected
        if not agrees(expected, real):
            wrong.append((file, row, f"claimed {expected}, the real value is {real}"))
    seen = {(file, row) for file, row, _ in outcome.observed} | raised
    missing = [place for place in reveals if place not in seen and place not in outcome.inside]
    return wrong + [(file, row, "no value was seen here") for file, row in missing]
