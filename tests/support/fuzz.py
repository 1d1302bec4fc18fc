"""Robustness tests on mutants of real programs and on random ones.

python -m tests.support.fuzz --count 2000 --seed 1

runs them, each in a process of its own, and prints the failures.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import os
import random
import re
import select
import signal
import sys
import tempfile
import time
import tokenize
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from tests.support.seed import SEED

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60.0
KNOWN = "import numpy as np\n\nnp.zeros((2, 3)) @ np.zeros((4, 5))\n"
_FENCE = re.compile(r"^```py[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
_ODD_NUMBERS = ("0", "-1", "1", "None", "10**30", "True", "1e400", "(2, 3)", "[]", "'x'", "-2**63", "x", "...", "()")
_ODD_TEXTS = (
    "\t",
    "\f",
    "\\\n",
    "é",
    "𝔵",
    "\u2028",
    "#",
    ";",
    "'''",
    "(",
    ")",
    ":",
    "*",
    "**",
    "lambda: ",
    "not ",
    "\r",
    "\0",
)
_ODD_LINES = (
    "global x", "del x", "return", "yield", "await x", "x = x", "class x: pass", "def f(*, x): return f",
    "for x in x: x", "while x: break", "try:\n    x\nexcept: x", "with x as x: x", "from x import *", "import x.y as z",
    "x: int = 3", "match x:\n    case _: x", "assert x", "x @= x", "x[...] = x", "x[:, None, *x] = x", "raise",
    "f'{x!r:{x}}'", "x = yield x", "@x\ndef x(): pass", "if x := x: x", "nonlocal x", "print 'x'", "exec 'x'",
)  # fmt: skip


# --- programs --------------------------------------------------------------------------------------------------------


def seeds(folders: Sequence[Path] = ()) -> list[str]:
    """Return programs to begin with: the corpus, the specification, or Python files below other folders."""
    files = [
        path for folder in folders or (ROOT / "corpus", ROOT / "examples") for path in sorted(folder.rglob("*.py"))
    ]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in files if path.stat().st_size < 60_000]
    if not folders:
        for page in sorted((ROOT / "tests" / "md").rglob("*.md")):
            texts += _FENCE.findall(page.read_text(encoding="utf-8"))
    return texts


def mutated(text: str, others: Sequence[str], chance: random.Random) -> str:
    """Return a program after one to six changes."""
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        text = chance.choice(_MUTATIONS)(text, others, chance)
    return text


def _lines(change: Callable[[list[str], random.Random], None]) -> Callable[[str, Sequence[str], random.Random], str]:
    def mutation(text: str, others: Sequence[str], chance: random.Random) -> str:
        lines = text.splitlines(keepends=True) or [""]
        change(lines, chance)
        return "".join(lines)

    return mutation


@_lines
def _drop(lines: list[str], chance: random.Random) -> None:
    at = chance.randrange(len(lines))
    del lines[at : at + chance.choice((1, 1, 2, 5))]


@_lines
def _repeat(lines: list[str], chance: random.Random) -> None:
    at = chance.randrange(len(lines))
    lines[at:at] = lines[at : at + chance.choice((1, 2, 8))] * chance.choice((1, 1, 3, 40))


@_lines
def _move(lines: list[str], chance: random.Random) -> None:
    lines.insert(chance.randrange(len(lines)), lines.pop(chance.randrange(len(lines))))


@_lines
def _indent(lines: list[str], chance: random.Random) -> None:
    at = chance.randrange(len(lines))
    lines[at] = chance.choice(("    ", " ", "\t")) + lines[at] if chance.random() < 0.5 else lines[at].lstrip()


@_lines
def _insert(lines: list[str], chance: random.Random) -> None:
    at = chance.randrange(len(lines))
    depth = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    written = _NAME.findall("".join(lines)) or ["x"]
    odd = re.sub(r"\bx\b", lambda _: chance.choice(written), chance.choice(_ODD_LINES))
    lines.insert(at, "".join(f"{depth}{line}\n" for line in odd.split("\n")))


def _number(text: str, others: Sequence[str], chance: random.Random) -> str:
    return _replaced(text, _NUMBER, chance.choice((*_ODD_NUMBERS, str(chance.randrange(300)))), chance)


def _name(text: str, others: Sequence[str], chance: random.Random) -> str:
    names = _NAME.findall(text)
    return _replaced(text, _NAME, chance.choice(names), chance) if names else text


def _everywhere(text: str, others: Sequence[str], chance: random.Random) -> str:
    names = _NAME.findall(text)
    return re.sub(rf"\b{chance.choice(names)}\b", chance.choice(names), text) if names else text


def _replaced(text: str, pattern: re.Pattern[str], new: str, chance: random.Random) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text
    one = chance.choice(found)
    return text[: one.start()] + new + text[one.end() :]


def _character(text: str, others: Sequence[str], chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice((*_ODD_TEXTS, "")) + text[at + chance.choice((0, 0, 1, 3)) :]


def _token(text: str, others: Sequence[str], chance: random.Random) -> str:
    """Drop, repeat or swap tokens, so that most results are still programs."""
    try:
        tokens = [token.string for token in tokenize.generate_tokens(StringIO(text).readline)]
        starts = [token.start for token in tokenize.generate_tokens(StringIO(text).readline)]
    except (tokenize.TokenError, SyntaxError):
        return text
    at, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
    lines = text.splitlines(keepends=True)
    row, column = starts[at]
    if row > len(lines) or not tokens[at].strip() or "\n" in tokens[at]:
        return text
    line = lines[row - 1]
    lines[row - 1] = (
        line[:column] + chance.choice(("", tokens[other].strip(), tokens[at] * 2)) + line[column + len(tokens[at]) :]
    )
    return "".join(lines)


def _cut(text: str, others: Sequence[str], chance: random.Random) -> str:
    return text[: chance.randrange(len(text) + 1)]


def _splice(text: str, others: Sequence[str], chance: random.Random) -> str:
    mine, theirs = text.splitlines(keepends=True), chance.choice(others).splitlines(keepends=True)
    at, begin = chance.randrange(len(mine) + 1), chance.randrange(len(theirs) + 1)
    return "".join(mine[:at] + theirs[begin : begin + 20] + mine[at:])


_MUTATIONS = (
    _drop, _repeat, _move, _indent, _insert, _insert, _number, _number, _number, _name, _name, _name, _everywhere,
    _character, _token, _token, _token, _cut, _splice,
)  # fmt: skip


def random_programs(count: int, seed: int) -> list[str]:
    """Return programs made from Python's grammar, after imports that make them worth tracing."""
    import hypothesmith
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded

    made: list[str] = []

    @seeded(seed)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(hypothesmith.from_grammar())
    def collect(text: str) -> None:
        made.append("import numpy as np\nimport tensorflow as tf\nA = B = x = np.zeros((2, 3))\n" + text)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        collect()
    return made


# --- what must hold --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Failure:
    """The failure of a check of a program."""

    what: str
    program: str


def faults(text: str) -> Iterator[str]:
    """Return the faults in the result of checking a program together with one that has a known bug."""
    from shapecheck.checker.pipeline import check
    from shapecheck.config import FORMATS, Config
    from shapecheck.report import render
    from shapecheck.report.result import Run

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "programs")
        folder.mkdir()
        (folder / "odd.py").write_bytes(text.encode("utf-8", "surrogatepass"))
        (folder / "known.py").write_text(KNOWN)
        config = Config(min_severity="info", cache_dir=Path(name, "cache"))
        result, again = check([folder], config), check([folder], config)
        if render("json", Run(result.findings)) != render("json", Run(again.findings)):
            yield "another answer from the cache"
        if result.problems != again.problems:
            yield f"other problems from the cache: {again.problems}"
        yield from (
            problem for problem in result.problems if "cannot decode" not in problem and "not checked" not in problem
        )
        codes = [finding.code for finding in result.findings if finding.place.filename.endswith("known.py")]
        if codes != ["SHP101"]:
            yield f"the known fault is lost: {codes}"
        odd = [finding for finding in result.findings if finding.place.filename.endswith("odd.py")]
        said = any(finding.code == "SHP901" for finding in odd) or bool(result.problems)
        if said and _is_python(text) and not result.problems:
            yield "a program that Python reads is called a syntax error"
        for finding in odd:
            place = finding.place
            if not 0 <= place.start <= place.end <= len(place.source.text) or not finding.message:
                yield f"no place or words: {finding}"
        for form in FORMATS:
            render(form, Run(result.findings, files=result.checked, problems=result.problems))


def _is_python(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "surrogatepass"))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def apart(text: str, seconds: float = SECONDS) -> Failure | None:
    """Return the failure of a program that is checked in a process of its own, which may crash or hang."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _report(text, writing)
    os.close(writing)
    told = _told(reading, time.monotonic() + seconds)
    os.close(reading)
    if told is None:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if told is None:
        return Failure(f"no answer in {seconds:g} s", text)
    if status:
        return Failure(f"the process died: {status}", text)
    return Failure(told, text) if told else None


def _report(text: str, writing: int) -> None:
    """Write the faults of a program and end the process."""
    try:
        told = "\n".join(faults(text))
    except BaseException:
        import traceback

        told = traceback.format_exc()
    os.write(writing, told.encode("utf-8", "backslashreplace")[:60_000])
    os._exit(0)


def _told(reading: int, deadline: float) -> str | None:
    told = b""
    while select.select([reading], [], [], max(deadline - time.monotonic(), 0))[0]:
        part = os.read(reading, 1 << 16)
        if not part:
            return told.decode()
        told += part
    return None


def programs(count: int, seed: int, folders: Sequence[Path] = ()) -> Iterator[str]:
    """Yield programs, of which a tenth comes from the grammar and the others from mutation."""
    chance = random.Random(seed)
    begin = seeds(folders)
    yield from random_programs(count // 10, seed)
    for _ in range(count - count // 10):
        yield mutated(chance.choice(begin), begin, chance)


def prepare() -> None:
    """Import everything once, before processes are forked."""
    for name in ("checker.pipeline", "checker.check_file", "frontend.lower", "rules.rule", "models.lang.loading"):
        importlib.import_module(f"shapecheck.{name}")
    sys.modules["shapecheck.models.lang.loading"].load()
    sys.modules["shapecheck.rules.rule"].all_rules()


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--keep", type=Path, help="a folder for programs that fail")
    options.add_argument("folders", nargs="*", type=Path, help="where to take programs from")
    given = options.parse_args(arguments)
    prepare()
    failed = 0
    for number, text in enumerate(programs(given.count, given.seed, given.folders)):
        failure = apart(text)
        if failure is not None:
            failed += 1
            print(f"--- {number}\n{failure.what}", flush=True)
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                (given.keep / f"{given.seed}_{number}.py").write_bytes(text.encode("utf-8", "surrogatepass"))
    print(f"{given.count} programs, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
