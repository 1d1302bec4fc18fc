"""The messages of findings, read from the code: each template with an example, for docs/messages.md.

`python -m tests.support.messages` checks the corpus and the pages of rules, and keeps the shortest example of each
template in message_examples.json.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from shapecheck.rules.rule import all_rules

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = Path(__file__).with_name("message_examples.json")
_PLACES = ("models", "dataflow", "rules")
_SAYING = frozenset(
    (
        *("require", "require_python", "require_rank", "never", "equal", "at_least", "Need", "need", "notice"),
        *("Refused", "_refuse", "refuse", "wrong", "each_equal", "says", "counted", "clash", "report"),
    )
)
_NAMED = ("said", "message", "told")
_LEAST_WORDS = 2
_HOLE = re.compile(r"\{.*?\}")
_OPERAND = re.compile(r"(?<![\w}])(?<!\ba )(?<!\ban )(?<!\bthe )[A-Za-z_]+(?= has\b| is\b| with\b| \()")
"""A parameter of the library, instead of which a message tells the operand as it is written."""


@dataclass(frozen=True, order=True, slots=True)
class Template:
    """A message as the code has it, with the name of the rule that reports it, if the code tells that beside it."""

    rule: str
    text: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """Return what a message of this template matches."""
        open_text = _OPERAND.sub("{}", self.text)
        return re.compile(".+?".join(re.escape(part) for part in _HOLE.split(open_text)))

    @property
    def weight(self) -> int:
        """Return how much of a message the template tells itself."""
        return sum(map(len, _HOLE.split(self.text)))


@cache
def templates() -> tuple[Template, ...]:
    """Return the templates of all messages."""
    rules = {kind.name: rule.name for rule in all_rules() for kind in rule.on}
    found = {each for path in _files() for each in _said(ast.parse(path.read_text(encoding="utf-8")), rules)}
    with_rule = {each.text for each in found if each.rule}
    return tuple(sorted(each for each in found if each.rule or each.text not in with_rule))


def _files() -> Iterator[Path]:
    for place in _PLACES:
        yield from sorted((ROOT / "shapecheck" / place).rglob("*.py"))


def _said(tree: ast.Module, rules: dict[str, str]) -> Iterator[Template]:
    """Yield the texts that a module states: as arguments of calls that refuse something, or under a telling name."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _SAYING:
                given = (*node.args, *(each.value for each in node.keywords if each.arg in (None, "message")))
                rule = next((rules.get(kind, "") for kind in map(_kind, given) if kind), "")
                for text in _texts(given):
                    yield Template(rule, text)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in _NAMED:
                for text in _texts([value]):
                    yield Template("", text)


def _kind(node: ast.expr) -> str:
    match node:
        case ast.Attribute(value=ast.Name(id="ClashKind"), attr=name):
            return name
    return ""


def _texts(nodes: Iterable[ast.expr]) -> Iterator[str]:
    for node in nodes:
        for part in (node.body, node.orelse) if isinstance(node, ast.IfExp) else (node,):
            text = _text(part)
            if len(re.findall(r"[a-z]{2,}", _HOLE.sub("", text))) >= _LEAST_WORDS:
                yield text


def _text(node: ast.expr) -> str:
    """Return a text with its holes in braces; "" for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_text(each) if isinstance(each, ast.Constant) else f"{{{_hole(each)}}}" for each in values)
    return ""


def _hole(value: ast.expr) -> str:
    """Return a word for what a hole is filled with."""
    names = [
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in ast.walk(value)
        if isinstance(node, (ast.Name, ast.Attribute))
    ]
    return names[0].strip("_") if names else "…"


def page() -> str:
    """Return docs/messages.md."""
    kept = examples()
    rules = {rule.name: rule for rule in all_rules()}
    by_rule: dict[str, list[Template]] = {}
    for template in templates():
        by_rule.setdefault(template.rule, []).append(template)
    count = sum(map(len, by_rule.values()))
    parts = [
        f"# Messages\n\nWhat findings say, read from the code: {count} templates, each with an example where the "
        "corpus or the pages\nhave one. A hole in braces is filled with what the program has there. In front of it "
        "stands the operation as it\nis written; an operand is called by its name in the program.\n"
    ]
    for name in sorted(by_rule, key=lambda name: (not name, name)):
        head = f"{rules[name].code} {name}" if name else "Parts of messages, of several rules"
        rows = [_row(template, kept.get(template.text)) for template in by_rule[name]]
        parts.append(f"\n## {head}\n\n" + "\n".join(rows) + "\n")
    return "".join(parts)


def _row(template: Template, example: str | None) -> str:
    text = f"* {template.text.strip()}".replace("<", "\\<").replace("*", "\\*").replace("\\*", "*", 1)
    return text + (f"  \n  `{example}`" if example else "")


def examples() -> dict[str, str]:
    """Return an example of each template of which one is known."""
    found: dict[str, str] = json.loads(EXAMPLES.read_text(encoding="utf-8")) if EXAMPLES.exists() else {}
    return found


def matched(messages: Iterable[str]) -> dict[str, str]:
    """Return the shortest message of each template."""
    found: dict[str, str] = {}
    ordered = sorted(templates(), key=lambda each: -each.weight)
    patterns = [(each, each.pattern) for each in ordered]
    for message in sorted(set(messages), key=lambda text: (len(text), text)):
        template = next((each for each, pattern in patterns if pattern.search(message)), None)
        if template is not None and "`" not in message and "…" not in message:
            found.setdefault(template.text, message)
    return dict(sorted(found.items()))


def _messages() -> Iterator[str]:
    """Yield the messages of the corpus and of the pages of rules and of behaviour."""
    from shapecheck.checker.pipeline import check
    from shapecheck.config import Config

    config = Config()
    for path in sorted((ROOT / "corpus" / "bugs").rglob("buggy.py")):
        yield from (finding.message for finding in check([path], config).findings)
    for page in sorted((*(ROOT / "shapecheck" / "rules").rglob("*.md"), *(ROOT / "tests" / "md").rglob("*.md"))):
        for block in re.findall(r"```py[^\n]*\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            head = "import numpy as np\nimport tensorflow as tf\n" if "import" not in block else ""
            found = check(["-"], config, stdin=head + block).findings
            yield from (finding.message for finding in found)


if __name__ == "__main__":
    EXAMPLES.write_text(json.dumps(matched(_messages()), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
