"""Generated files and documented promises agree with the code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from shapecheck.cli.check import command as check_command
from shapecheck.config import FORMATS
from shapecheck.config_keys import KEYS
from shapecheck.findings import Certainty, Confirmation, Finding, Frame, Operand, Severity
from shapecheck.report.json import as_dict
from shapecheck.runtime.replay import verdict
from shapecheck.source import Place, Source
from tests.support.docs import ROOT, TABLES, tables

SCHEMA = json.loads((ROOT / "docs" / "json-schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_fresh(name: str) -> None:
    path = ROOT / name
    assert path.is_file(), "run `make docs`"
    assert path.read_text(encoding="utf-8") == tables()[path], "run `make docs`"


def test_the_architecture_names_files_and_functions_that_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:\w+/)*\w+\.py)(?::(\w+))?`", page)
    assert len(named) > 40
    for path, defined in named:
        found = [file for file in (ROOT / "shapecheck").rglob(Path(path).name) if file.as_posix().endswith(f"/{path}")]
        assert found, path
        pattern = rf"^(?:def|class) {defined}\b" if defined else ""
        assert any(re.search(pattern, file.read_text(encoding="utf-8"), re.MULTILINE) for file in found), defined


def test_every_option_and_key_is_documented() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    shown = [each for each in check_command.params if not getattr(each, "hidden", False)]
    options = {option for parameter in shown for option in parameter.opts if option.startswith("--")}
    short = {"--quiet": "`-q`", "--verbose": "`-v`"}
    assert [option for option in sorted(options) if short.get(option, option) not in page] == []
    assert [key for key in KEYS if f"| `{key}` |" not in page] == []
    assert all(form in page for form in FORMATS)


def test_every_conversion_is_run() -> None:
    page = (ROOT / "docs" / "stages.md").read_text(encoding="utf-8")
    table = page.partition("| Python | becomes |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (?!Python|--)([^|]+) \|", table, re.MULTILINE)
    programs = (ROOT / "tests" / "md" / "flow" / "autograph.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", programs, re.MULTILINE)
    assert len(rows) > 12
    assert {heading.partition(": ")[0] for heading in headings} == set(rows)


def test_limits_are_where_the_page_says() -> None:
    page = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    rows = re.findall(r"\| ([^|]*`[A-Z_]+` in [^|]*) \|$", page, re.MULTILINE)
    assert len(rows) > 5
    for names, place in re.findall(r"((?:`[A-Z_]+`(?:, )?)+) in `([\w/.]+)`", "\n".join(rows)):
        text = (ROOT / "shapecheck" / place).read_text(encoding="utf-8")
        assert all(re.search(rf"^{name}\b.* = ", text, re.MULTILINE) for name in re.findall(r"[A-Z_]+", names)), place


def test_the_schema_knows_every_word() -> None:
    finding = SCHEMA["$defs"]["finding"]["properties"]
    assert finding["severity"]["enum"] == [severity.value for severity in Severity]
    assert finding["certainty"]["enum"] == [certainty.value for certainty in Certainty]
    assert SCHEMA["$defs"]["confirmation"]["properties"]["status"]["enum"] == [
        verdict.CONFIRMED,
        verdict.REFUTED,
        verdict.NOT_REPRODUCIBLE,
        verdict.CRASHED,
        verdict.TIMED_OUT,
    ]


def test_a_finding_has_the_shape_of_the_schema() -> None:
    place = Place(Source("a.py", "x @ w\n"), 0, 5)
    finding = Finding(
        "SHP101",
        "axis-mismatch",
        "mismatch",
        Severity.ERROR,
        Certainty.PROVED,
        place,
        "x has 3 columns, w has 4 rows",
        operands=(Operand("x", "(2, 3)", place, "x"), Operand("w", "(4, 5)")),
        call_path=(Frame(place, "f"),),
        guards=("n == 3",),
        witness={"B": 1},
        confirmation=Confirmation("confirmed"),
    )
    assert list(mismatches(as_dict(finding), SCHEMA["$defs"]["finding"])) == []


def mismatches(value: object, schema: dict) -> list[str]:
    """Yield where a value violates the part of JSON Schema that our schema uses."""
    if "$ref" in schema:
        return mismatches(value, SCHEMA["$defs"][Path(schema["$ref"]).name])
    if "anyOf" in schema:
        return [] if any(not mismatches(value, option) for option in schema["anyOf"]) else [f"{value!r} fits no option"]
    types = {"object": dict, "array": list, "string": str, "integer": int, "null": type(None)}
    wanted = schema.get("type")
    if wanted and not isinstance(
        value, tuple(types[kind] for kind in ([wanted] if isinstance(wanted, str) else wanted))
    ):
        return [f"{value!r} is no {wanted}"]
    found: list[str] = []
    if isinstance(value, dict):
        parts = schema.get("properties")
        if parts is not None:
            found += [f"{key} is unknown or missing" for key in value.keys() ^ parts.keys()]
            assert schema["required"] == list(parts)
        for key, item in value.items():
            found += mismatches(item, (parts or {}).get(key) or schema.get("additionalProperties") or {})
    if isinstance(value, list):
        found += [problem for item in value for problem in mismatches(item, schema.get("items", {}))]
    return found
