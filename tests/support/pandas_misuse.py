"""Models of pandas beside the library on misused calls: in expressions that the library takes, one operand after the
other is replaced by one of a wrong rank, container or dtype.

`python -m tests.support.pandas_misuse` prints what differs.

Most gaps are calls that the library refuses for other reasons than shapes: names of columns and labels of rows that are
not there, and texts, fractions, None or nested lists in place of counts, axes, positions and tables.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.expressions import FAILS, SILENT, checked, computed

SETUP = """
import numpy as np
import pandas as pd
from shapecheck import reveal_shape as show

table = pd.DataFrame(np.arange(15.0).reshape(5, 3), columns=["a", "b", "c"])
taller = pd.DataFrame(np.ones((7, 3)), columns=["a", "b", "c"])
wider = pd.DataFrame(np.ones((5, 4)), columns=["a", "d", "e", "f"])
column = pd.Series(np.arange(5.0))
longer = pd.Series(np.ones(7))
words = pd.Series(["x", "y", "x", "z", "y"])
matrix, cube, row, mask = np.ones((5, 3)), np.ones((2, 5, 3)), np.ones(5), np.arange(5) > 2
"""
TABLES = ("table", "taller", "wider", "column", "longer", "words", "matrix", "cube", "row", "[]", "None", "5", "'a'")
NAMES = ("'a'", "'missing'", "['a', 'b']", "['a', 'missing']", "1", "[1, 2]", "None", "mask", "row", "2.5", "table")
PLACES = (
    "1",
    "-5",
    "7",
    "[0, 2]",
    "[0, 9]",
    "slice(1, 3)",
    "mask",
    "mask[:4]",
    "'a'",
    "2.5",
    "None",
    "matrix",
    "words",
)
AXES = ("0", "1", "2", "-1", "'rows'", "'columns'", "'c'", "None", "1.5", "[0]")
COUNTS = ("2", "-1", "9", "2.5", "'a'", "None", "[1]")
ARRAYS = (
    "row",
    "matrix",
    "cube",
    "column",
    "longer",
    "np.ones(7)",
    "np.ones((7, 3))",
    "[1, 2]",
    "5",
    "'a'",
    "range(5)",
)
OWNERS = ("table", "taller", "wider", "column", "longer", "words")
KINDS = {"O": OWNERS, "T": TABLES, "N": NAMES, "P": PLACES, "A": AXES, "C": COUNTS, "V": ARRAYS}
CALLS = """
pd.concat([{T:table}, {T:taller}])
pd.concat([{T:table}, {T:wider}], axis={A:1})
pd.concat([{T:column}, {T:longer}], axis={A:0})
pd.concat({T:[table, taller]})
pd.merge({T:table}, {T:wider}, on={N:'a'})
pd.merge({T:table}, {T:wider}, left_on={N:'b'}, right_on={N:'d'})
{O:table}.merge({T:taller}, on={N:'a'}, how='left')
{O:table}.join({O:column}.rename('z'))
pd.DataFrame({V:matrix}, columns={N:['a', 'b', 'c']})
pd.DataFrame({V:matrix})
pd.DataFrame({{'a': {V:row}, 'b': {V:row}}})
pd.DataFrame({V:matrix}, index={V:range(5)})
pd.Series({V:row})
pd.Series({V:row}, index={V:range(5)})
pd.get_dummies({T:words})
pd.get_dummies({T:table}, columns={N:['a']})
pd.to_numeric({T:column})
pd.cut({V:row}, {C:2})
pd.crosstab({T:words}, {T:column})
{O:table}[{N:'a'}]
{O:table}[{N:['a', 'b']}]
{O:table}.iloc[{P:1}]
{O:table}.iloc[{P:1}, {P:0}]
{O:table}.loc[{P:1}]
{O:table}.loc[{P:mask}, {N:'a'}]
{O:table}.loc[:, {N:'a'}]
{O:table}.drop({N:'a'}, axis={A:1})
{O:table}.drop(columns={N:['a', 'b']})
{O:table}.dropna(axis={A:0})
{O:table}.dropna(subset={N:['a']})
{O:table}.fillna({C:2})
{O:table}.head({C:2})
{O:table}.tail({C:2})
{O:table}.sample({C:2})
{O:table}.nlargest({C:2}, {N:'a'})
{O:table}.sort_values({N:'a'})
{O:table}.set_index({N:'a'})
{O:table}.reset_index()
{O:table}.rename(columns={N:None})
{O:table}.groupby({N:'a'}).mean()
{O:table}.groupby({N:'a'})[{N:'b'}].sum()
{O:table}.mean(axis={A:1})
{O:table}.sum(axis={A:0})
{O:table}.std(axis={A:0})
{O:table}.max(axis={A:1})
{O:table}.cumsum(axis={A:0})
{O:table}.diff({C:2})
{O:table}.shift({C:2})
{O:table}.rolling({C:2}).mean()
{O:table}.apply(np.sum, axis={A:1})
{O:table}.astype({N:'a'})
{O:table} + {V:matrix}
{O:table} * {V:column}
{O:column} - {V:row}
{O:column} > {V:row}
{O:table} @ {V:np.ones((3, 2))}
{O:table}.dot({V:np.ones((3, 2))})
{O:table}.T @ {V:matrix}
{O:column}.values + {V:row}
{O:table}.values + {V:row[:3]}
{O:table}.assign(z={V:row})
{O:column}.map({V:column})
{O:column}.isin({V:row})
{O:column}.replace({C:2}, {C:3})
{O:column}.quantile({C:0.5})
{O:column}.unique()
{O:column}.value_counts()
{O:column}.dot({V:row})
{O:table}.corr()
{O:table}.cov()
{O:table}.describe()
{O:table}.melt()
{O:table}.pivot(index={N:'a'}, columns={N:'b'}, values={N:'c'})
{O:table}.select_dtypes({N:'number'})
{O:table}.where({V:matrix > 2})
{O:table}.clip({C:2})
np.concatenate([{T:table}, {T:taller}])
np.column_stack([{T:column}, {T:words}])
np.vstack([{T:table}, {T:taller}])
np.hstack([{T:table}, {T:wider}])
np.dot({T:table}, {V:np.ones((3, 2))})
np.mean({T:table}, axis={A:1})
np.where({V:mask}, {T:column}, {V:row})
"""
_SLOT = re.compile(r"\{([OTNPACV]):((?:[^{}\[\]]|\[[^\[\]]*\])*)\}")


def variants(template: str) -> Iterator[str]:
    """Yield a call as it is meant, and with one operand after the other replaced."""
    slots = list(_SLOT.finditer(template))
    usual = [slot.group(2) for slot in slots]
    for at, slot in [(None, None), *enumerate(slots)]:
        for other in (None,) if slot is None else KINDS[slot.group(1)]:
            given = iter([other if place == at else each for place, each in enumerate(usual)])
            text = _SLOT.sub(lambda _, given=given: str(next(given)), template)
            yield "np.asarray(" + text.replace("{{", "{").replace("}}", "}") + ")"


@dataclass
class Findings:
    """What differs: calls that only the check refuses, other shapes, and calls that only the library refuses."""

    calls: int = 0
    false_alarms: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)


def compare(calls: str = CALLS, python: str = sys.executable) -> Findings:
    """Return how the models differ from the library."""
    expressions = list(dict.fromkeys(each for line in calls.split("\n") if line for each in variants(line)))
    with tempfile.TemporaryDirectory() as folder:
        said = checked(SETUP, expressions, Path(folder) / "calls.py", apart=True)
    found = Findings(len(expressions))
    for each, real in computed(python, SETUP, expressions).items():
        claimed = said.get(each, SILENT)
        if FAILS in (claimed, real) and claimed != real:
            (found.gaps if real == FAILS else found.false_alarms).append(f"{each}: {real}, not {claimed}")
        elif not _agree(claimed, real):
            found.wrong.append(f"{each}: {real}, not {claimed}")
    return found


def _agree(claimed: str, real: str) -> bool:
    """Return whether a shape is as claimed; what is not known agrees with all."""
    if SILENT in (claimed, real) or claimed == real or claimed.startswith("?"):
        return True
    mine, its = (re.findall(r"[^,() ]+", text.partition(")")[0]) for text in (claimed, real))
    if "..." in mine or len(mine) != len(its):
        return "..." in mine
    return all(not a.isdigit() or a == b for a, b in zip(mine, its, strict=True))


def main() -> int:
    found = compare()
    print(f"{found.calls} calls, {len(found.gaps)} gaps")
    for title, lines in (("false alarm", found.false_alarms), ("wrong", found.wrong), ("gap", found.gaps)):
        for line in lines:
            print(f"{title}: {line}")
    return int(bool(found.false_alarms or found.wrong))


if __name__ == "__main__":
    sys.exit(main())
