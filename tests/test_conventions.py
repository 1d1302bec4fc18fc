"""Conventions of the project as a whole."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import warnings
from pathlib import Path
from statistics import median

import pytest

import shapecheck
from shapecheck.rules.rule import Rule, all_rules
from tests.support.docs import lengths

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted(path for folder in ("shapecheck", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
PACKAGE = [path for path in FILES if path.is_relative_to(ROOT / "shapecheck")]
LONG_FILE = 600
HEAVY = {"tensorflow", "keras", "numpy", "z3", "libcst", "networkx"}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", FILES, ids=name)
def test_functions_are_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if len(text.splitlines()) > LONG_FILE:
        warnings.warn(f"{name(path)} has more than {LONG_FILE} lines: is it one concept?", stacklevel=1)
    functions = (
        node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    )
    long = [node.name for node in functions if (node.end_lineno or 0) - node.lineno >= 60]
    assert not long


@pytest.mark.parametrize("path", PACKAGE, ids=name)
def test_modules_say_what_they_are_for(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not tree.body or ast.get_docstring(tree)


@pytest.mark.parametrize("path", PACKAGE, ids=name)
def test_public_names_are_sorted(path: Path) -> None:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            listed = ast.literal_eval(node.value)
            assert list(listed) == sorted(set(listed), key=lambda word: (not word.isupper(), word))


def test_the_public_interface() -> None:
    assert len(shapecheck.__all__) <= 8
    assert all(getattr(shapecheck, public) is not None for public in shapecheck.__all__)
    with pytest.raises(AttributeError):
        _ = shapecheck.nothing


def loads(statement: str) -> set[str]:
    """Return the heavy libraries that a fresh interpreter loads for a statement."""
    program = f"import sys\n{statement}\nprint(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return HEAVY & set(ran.stdout.split())


@pytest.mark.parametrize(
    "statement", ["import shapecheck", "import shapecheck.cli", "from shapecheck import Config, Finding, Severity"]
)
def test_nothing_heavy_at_the_door(statement: str) -> None:
    assert loads(statement) == set()


def test_something_heavy_would_be_noticed() -> None:
    assert "networkx" in loads("import shapecheck, networkx")


def test_help_is_light() -> None:
    assert loads("from shapecheck.cli import run; run(['--help'])") == set()


def test_a_small_check_is_light() -> None:
    path = ROOT / "examples" / "digits.py"
    assert loads(f"from shapecheck.cli import run; run(['-q', '--no-cache', {str(path)!r}])") == set()


def test_a_model_takes_few_lines() -> None:
    found = lengths()
    assert median(found.values()) <= 4
    assert [name for name, lines in found.items() if lines > 6] == []


# --- rules -----------------------------------------------------------------------------------------------------------

RULES = list(all_rules())


def headings(rule: Rule) -> list[str]:
    return re.findall(r"^#+ (.+?)\s*$", rule.page, re.MULTILINE)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rule_is_whole(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert re.fullmatch(r"SHP\d{3}", rule.code)
    assert rule.summary.endswith(".")
    assert len(rule.summary) <= 80
    assert headings(rule)[0] == rule.name
    for heading in ("What it does", "Why is this bad", "Example", "Use instead"):
        assert heading in headings(rule), f"the page lacks '## {heading}'"
    for heading in ("Example", "Use instead"):
        assert re.search(rf"^## {heading}\s*$[^#]*?^```py", rule.page, re.MULTILINE), f"no program under '{heading}'"


def test_rules_are_unique() -> None:
    assert RULES
    assert len({rule.code for rule in RULES}) == len(RULES)
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_every_page_belongs_to_a_rule() -> None:
    pages = {path.stem for path in (ROOT / "shapecheck" / "rules").rglob("*.md") if path.name != "README.md"}
    assert pages == {rule.name.replace("-", "_") for rule in RULES}
