"""Expressions of a pack: what the check says of each, and what the library computes."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import shapecheck

FAILS = "fails"
SILENT = "not known"
RUN = """
import json, sys, types
sys.modules["shapecheck"] = types.SimpleNamespace(reveal_shape=None)
setup, expressions = json.load(sys.stdin)
exec(setup)
def told(expression):
    try:
        made = eval(expression)
    except Exception:
        return "fails"
    return f"{tuple(made.shape)} {str(made.dtype).rpartition('.')[2]}" if hasattr(made, "dtype") else "not known"
json.dump({each: told(each) for each in expressions}, sys.stdout)
"""


def checked(
    setup: str,
    expressions: Iterable[str],
    path: Path,
    suspicious: Mapping[str, str] = {},
    *,
    apart: bool = False,
) -> dict[str, str]:
    """Return what the check says of each expression, as `show` in the setup reveals it; `suspicious` are the rules that
    warn of working ones. Those set `apart` are in functions of their own: one that fails ends no other.
    """
    before = "def case_{}(): " if apart else ""
    lines = [f"{before.format(at)}show({expression})\n" for at, expression in enumerate(expressions)]
    path.write_text(setup + "".join(lines), encoding="utf-8")
    lines = path.read_text(encoding="utf-8").splitlines()
    found: dict[str, str] = {}
    for finding in shapecheck.check([path], shapecheck.Config(extend_select=("SHP235",), cache_dir=None)):
        first = finding.call_path[0].place if finding.call_path else finding.place
        for place in (first, *(related.place for related in finding.related)):
            expression = lines[place.row - 1].partition("show(")[2].rstrip()[:-1]
            if finding.name == "revealed-shape":
                shape = finding.message.partition("the shape is ")[2]
                found.setdefault(expression, shape.replace(", the dtype", "") or SILENT)
            elif finding.name != suspicious.get(expression):
                found[expression] = FAILS
    return found


def computed(python: str, setup: str, expressions: Iterable[str]) -> dict[str, str]:
    """Return what the library computes for each expression."""
    given = json.dumps([setup, list(expressions)])
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run([python, "-c", RUN], input=given, capture_output=True, text=True, check=True, cwd=folder)
    real: dict[str, str] = json.loads(ran.stdout)
    return real


def wrong(python: str, setup: str, cases: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return the expressions of which the library says something else, with what is claimed and what it says."""
    real = computed(python, setup, cases)
    return {each: (said, real[each]) for each, said in cases.items() if said not in (real[each], SILENT)}
