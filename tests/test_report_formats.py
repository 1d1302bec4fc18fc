"""Reports for other programs, each checked by its schema or its reader."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import junitparser
import pytest
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.validators import validator_for

from shapecheck.config import FORMATS
from shapecheck.diagnostics import NOTICES, SYNTAX_ERROR
from shapecheck.findings import Certainty, Edit, Finding, Fix, Frame, Severity
from shapecheck.fingerprint import fingerprints, function_around
from shapecheck.report import render
from shapecheck.report.result import Run
from shapecheck.rules.rule import all_rules
from shapecheck.source import Cell, Place, Source
from tests.test_report import FINDING, place

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = ROOT / "tests" / "schemas"
MULTITOOL = shutil.which("sarif-multitool")
HOSTILE = 'import numpy as np\nx = layers[0](2) + "a,b:c%\x1b]]>&<\ud800\uffff"\n'
ODD = Finding(
    "SHP102",
    "broadcast-mismatch",
    "mismatch",
    Severity.WARNING,
    Certainty.WITNESS,
    place(HOSTILE, 'layers[0](2) + "a,b:c%\x1b]]>&<\ud800\uffff"', "a dir/größe, 100%:x.py"),
    'layers[0](2): "a,b:c%\x1b]]>&<\ud800\uffff"\nand more',
    witness={"n": 2},
    fixes=(Fix("write layers[0](1)", (Edit(place(HOSTILE, "2", "a dir/größe, 100%:x.py"), "\ud800"),)),),
)
BROKEN = SYNTAX_ERROR.finding(Place(Source("broken.py", "def f(:\n"), 6, 6), "it cannot be read")
NOTE = replace(FINDING, severity=Severity.INFO, place=place("f(\n  a)\n", "f(\n  a)", "note.py"), call_path=())
SLOW = replace(NOTE, severity=Severity.PERF, place=place("f(\n  a)\n", "f(\n  a)", "slow.py"))
RUN = Run(
    [FINDING, ODD, BROKEN, NOTE, SLOW],
    files=["train.py", "clean.py"],
    problems=["gone.py: no such file or folder"],
    rules=(*all_rules(), *NOTICES),
    site="https://example.org/docs/",
    version="1.2.3",
)
NOTHING = Run([], files=["clean.py"])


def valid(form: str, schema: Path, run: Run) -> dict | list:
    """Return the parsed report, after validation by the schema."""
    rules = json.loads(schema.read_text(encoding="utf-8"))
    made = json.loads(render(form, run))
    kind = validator_for(rules, Draft202012Validator)
    kind.check_schema(rules)
    assert [
        f"{error.json_path}: {error.message}" for error in kind(rules, format_checker=FormatChecker()).iter_errors(made)
    ] == []
    return made


@pytest.mark.parametrize("run", [RUN, NOTHING], ids=["findings", "nothing"])
@pytest.mark.parametrize("form", FORMATS)
def test_every_format_can_be_written(form: str, run: Run) -> None:
    assert isinstance(render(form, run), str)


@pytest.mark.parametrize("run", [RUN, NOTHING], ids=["findings", "nothing"])
def test_json_is_as_documented(run: Run) -> None:
    found = valid("json", ROOT / "docs" / "json-schema.json", run)
    assert found == [json.loads(line) for line in render("jsonl", run).splitlines()]


# --- SARIF -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("run", [RUN, NOTHING], ids=["findings", "nothing"])
def test_sarif_is_well_formed(run: Run) -> None:
    valid("sarif", SCHEMAS / "sarif.json", run)


@pytest.mark.skipif("SHAPECHECK_SARIF_SCHEMA" not in os.environ, reason="names the official schema, which is not ours")
def test_sarif_is_as_the_standard_says() -> None:
    valid("sarif", Path(os.environ["SHAPECHECK_SARIF_SCHEMA"]), RUN)


@pytest.mark.skipif(MULTITOOL is None, reason="sarif-multitool is not installed")
def test_the_multitool_finds_no_error_in_sarif(tmp_path: Path) -> None:
    (tmp_path / "found.sarif").write_bytes(render("sarif", RUN).encode("utf-8", "backslashreplace"))
    home = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}  # it works without the library for languages
    command = [str(MULTITOOL), "validate", "found.sarif"]
    ran = subprocess.run(command, cwd=tmp_path, env=home, capture_output=True, text=True, check=False)
    assert "Analysis completed successfully." in ran.stdout
    assert "error SARIF" not in ran.stdout


def test_sarif_tells_rule_origins_calls_and_confirmation() -> None:
    (run,) = valid("sarif", SCHEMAS / "sarif.json", RUN)["runs"]
    first, odd, broken, note, _ = run["results"]
    rule = run["tool"]["driver"]["rules"][first["ruleIndex"]]
    assert (rule["id"], rule["helpUri"]) == (first["ruleId"], "https://example.org/docs/rules/axis-mismatch/")
    assert rule["help"]["markdown"].startswith("# axis-mismatch")
    assert [result["level"] for result in run["results"]] == ["error", "warning", "error", "note", "note"]
    elsewhere = [made["message"]["text"] for made in first["relatedLocations"]]
    assert elsewhere == ["x: (B, 128)", "w: (64, 10)", "x @ w: x has 128 columns, w has 64 rows"]
    (flow,) = first["codeFlows"][0]["threadFlows"]
    assert [step["location"]["message"]["text"] for step in flow["locations"]] == ["calls build", FINDING.message]
    assert first["properties"]["confirmation"]["status"] == "confirmed"
    assert first["properties"]["certainty"] == "proved"
    assert "codeFlows" not in note
    assert odd["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "a%20dir/gr%C3%B6%C3%9Fe%2C%20100%25%3Ax.py",
        "uriBaseId": "%SRCROOT%",
    }
    assert "](2)" not in odd["message"]["text"]
    (change,) = odd["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["deletedRegion"] == {
        "startLine": 2,
        "startColumn": 15,
        "endLine": 2,
        "endColumn": 16,
    }
    assert run["invocations"][0]["executionSuccessful"] is False
    assert broken["ruleId"] == "SHP901"


def test_a_region_is_counted_in_code_points() -> None:
    text = "x = '🙂'; bad()\n"
    finding = replace(FINDING, place=place(text, "bad()"), operands=(), call_path=())
    (run,) = valid("sarif", SCHEMAS / "sarif.json", Run([finding]))["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"] == 10


def test_paths_are_relative_to_the_folder_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")

    def uris(filename: str) -> tuple[str, str]:
        run = Run([replace(FINDING, place=place("f()", "f()", filename), operands=(), call_path=())])
        (result,) = json.loads(render("sarif", run))["runs"][0]["results"]
        (issue,) = json.loads(render("gitlab", run))
        return result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], issue["location"]["path"]

    assert uris("./a/../b.py") == ("b.py", "b.py")
    assert uris(str(tmp_path / "work" / "b.py")) == ("b.py", "b.py")
    elsewhere = tmp_path / "c.py"
    assert uris(str(elsewhere)) == (elsewhere.as_uri(), elsewhere.as_posix())


# --- GitHub ----------------------------------------------------------------------------------------------------------


def test_github() -> None:
    first, odd, _, note, slow = render("github", RUN).splitlines()
    assert first.startswith(
        "::error file=train.py,line=5,endLine=5,col=5,endColumn=19,title=SHP101 axis-mismatch::"
        "train.py:5:5: tf.matmul: x has 128 columns, w has 64 rows%0Ax: (B, 128)   from keras.Input"
    )
    assert odd.startswith("::warning file=a dir/größe%2C 100%25%3Ax.py,line=2,")
    assert "\x1b" not in odd
    assert note.startswith("::notice file=note.py,line=1,endLine=2,title=")
    assert slow.startswith("::notice file=slow.py,")


# --- GitLab ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("run", [RUN, NOTHING], ids=["findings", "nothing"])
def test_gitlab(run: Run) -> None:
    issues = valid("gitlab", SCHEMAS / "gitlab.json", run)
    assert len({issue["fingerprint"] for issue in issues}) == len(run.findings)
    assert [issue["severity"] for issue in issues] == ["critical", "major", "critical", "info", "minor"][: len(issues)]


def test_gitlab_tells_equal_findings_of_two_files_apart() -> None:
    twice = [replace(FINDING, place=place("f()", "f()", name)) for name in ("a.py", "b.py")]
    first, second = json.loads(render("gitlab", Run(twice)))
    assert first["fingerprint"] != second["fingerprint"]


def test_places_in_notebooks_name_the_cell() -> None:
    source = Source("a.ipynb", "x = 1\n\nf()\n", (Cell(1, 1, 2), Cell(4, 3, 3)))
    finding = replace(FINDING, place=Place(source, 7, 10), operands=(), call_path=())
    assert "SHP101 axis-mismatch in cell 4, line 1, column 1" in render("junit", Run([finding]))
    annotation = render("github", Run([finding]))
    assert annotation.startswith("::error file=a.ipynb,line=1,endLine=1,col=1,endColumn=1,title=SHP101 axis-mismatch::")
    assert "::a.ipynb:cell 4:1:1: tf.matmul" in annotation
    (issue,) = valid("gitlab", SCHEMAS / "gitlab.json", Run([finding]))
    assert issue["description"].startswith("cell 4, line 1: axis-mismatch: ")
    (result,) = valid("sarif", SCHEMAS / "sarif.json", Run([finding]))["runs"][0]["results"]
    assert result["message"]["text"].startswith("cell 4, line 1: ")


# --- JUnit -----------------------------------------------------------------------------------------------------------


def test_junit() -> None:
    suites = junitparser.JUnitXml.fromstring(render("junit", RUN).encode("utf-8"))
    assert (suites.tests, suites.failures, suites.errors) == (7, 4, 1)
    by_name = {suite.name: list(suite) for suite in suites}
    assert by_name["clean.py"][0].is_passed
    assert by_name["slow.py"][0].is_passed
    assert "perf[axis-mismatch]" in by_name["slow.py"][0].system_out
    (failed,) = by_name["train.py"]
    assert failed.name == "SHP101 axis-mismatch in line 5, column 5"
    assert failed.result[0].message == FINDING.message
    assert "5 | y = tf.matmul(x, w)" in failed.result[0].text
    (unchecked,) = by_name["not checked"]
    assert unchecked.result[0].message == "gone.py: no such file or folder"
    for suite in suites:
        assert (suite.tests, suite.failures, suite.errors) == (
            len(list(suite)),
            sum(isinstance(case.result[0], junitparser.Failure) for case in suite if case.result),
            sum(isinstance(case.result[0], junitparser.Error) for case in suite if case.result),
        )


# --- fingerprints ----------------------------------------------------------------------------------------------------

PROGRAM = "class Net:\n    def call(self, x):\n        y = bad(x, 'a')\n        return bad(x, 'a')\n"


def marks(text: str) -> list[str]:
    starts = [at for at in range(len(text)) if text.startswith("bad(", at)]
    source = Source("x.py", text)
    return fingerprints([replace(FINDING, place=Place(source, at, text.index(")", at) + 1)) for at in starts])


@pytest.mark.parametrize(
    "edited",
    [
        "import os\n\n\n" + PROGRAM,
        PROGRAM.replace("y = ", "renamed = "),
        PROGRAM.replace("(x, 'a')", '(\n            x,\n            "a",\n        )'),
        PROGRAM.replace("        y", "        # why\n        if x:\n            y"),
        PROGRAM + "\ndef other():\n    pass\n",
    ],
)
def test_a_fingerprint_survives_edits_that_do_not_concern_it(edited: str) -> None:
    assert marks(edited) == marks(PROGRAM)


@pytest.mark.parametrize("edited", [PROGRAM.replace("'a'", "'b'"), PROGRAM.replace("call", "build")])
def test_a_fingerprint_tells_other_code(edited: str) -> None:
    assert not set(marks(edited)) & set(marks(PROGRAM))


def test_equal_findings_have_different_fingerprints() -> None:
    first, second = marks(PROGRAM)
    assert first != second
    assert function_around(replace(FINDING, place=place(PROGRAM, "bad")).place) == "Net.call"


def test_a_fingerprint_does_not_depend_on_the_order_of_findings() -> None:
    source = Source("x.py", "f(); f()\n")
    found = [replace(FINDING, place=Place(source, at, at + 3), call_path=(Frame(FINDING.place, "f"),)) for at in (0, 5)]
    assert fingerprints(found[::-1]) == fingerprints(found)[::-1]
