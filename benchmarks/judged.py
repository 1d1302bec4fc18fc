"""What the findings rest on that were judged by reading the programs, and which of these predict false ones.

python -m benchmarks.judged                                     # the table, in Markdown
python -m benchmarks.judged --add REPORT.json --root FOLDER [--false PLACE ...] [--doubtful PLACE ...]

The first form prints the table of `benchmarks/judged.tsv`. The second adds the findings of a report, which
`shapecheck check --output-format json` writes, after they have been read: those at no named place (`path/file.py:31`)
are true.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

DATA = Path(__file__).with_name("judged.tsv")
COLUMNS = ("repository", "place", "rule", "severity", "verdict", "rests on")
VERDICTS = ("true", "false", "doubtful")
Finding = dict[str, Any]
Row = dict[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--add", type=Path, help="a report whose findings were read")
    parser.add_argument("--root", type=Path, help="the folder of the repository, OWNER+NAME")
    parser.add_argument("--false", nargs="*", default=[], help="places of false findings")
    parser.add_argument("--doubtful", nargs="*", default=[], help="places of doubtful findings")
    asked = parser.parse_args()
    known = read()
    if asked.add is None:
        print(table(known))
        return
    verdicts = dict.fromkeys(asked.false, "false") | dict.fromkeys(asked.doubtful, "doubtful")
    found = rows(json.loads(asked.add.read_text(encoding="utf-8")), asked.root.resolve(), verdicts)
    write({(row["repository"], row["place"], row["rule"]): row for row in (*known, *found)}.values())


def rows(findings: Iterable[Finding], root: Path, verdicts: dict[str, str]) -> Iterator[Row]:
    """Yield a row for each error and warning of a report."""
    for finding in findings:
        if finding["severity"] == "info" or finding["code"].startswith("SHP9"):
            continue
        path = Path(finding["filename"])
        name = path.resolve().relative_to(root).as_posix() if path.is_absolute() else path.as_posix()
        cell = f" cell {finding['cell']}" if finding["cell"] is not None else ""
        place = f"{name}{cell}:{finding['location']['row']}"
        verdict = verdicts.get(place, "true")
        values = (root.name.replace("+", "/", 1), place, finding["name"], finding["severity"], verdict)
        yield dict(zip(COLUMNS, (*values, ", ".join(bases(finding))), strict=True))


def bases(finding: Finding) -> list[str]:
    """Return what a finding rests on beside the statement that it is about."""
    calls = finding["call_path"]
    found = {
        "arguments that no caller gives": bool(calls) and _is_definition(calls[0]),
        "a call that is followed": len(calls) > 1,
        "another file": any(call["filename"] != finding["filename"] for call in calls),
        "a branch": bool(finding["guards"]),
        "sizes that are not written": bool(finding["witness"]),
        "an operand of unknown origin": any(operand["origin"] is None for operand in finding["operands"]),
        "a part of a test": "test" in Path(finding["filename"]).name,
        "a pattern": finding["certainty"] != "proved",
    }
    return [basis for basis, holds in found.items() if holds] or ["nothing else"]


def _is_definition(call: Finding) -> bool:
    """Return whether a frame is that of a function that was traced on its own: it is shown by its definition."""
    path = Path(call["filename"])
    if path.suffix == ".ipynb" or not path.is_file():
        return False
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    line = lines[call["row"] - 1].lstrip() if 0 < call["row"] <= len(lines) else ""
    return line.startswith(("def ", "async def ", "@"))


def read() -> list[Row]:
    with DATA.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def write(judged: Iterable[Row]) -> None:
    with DATA.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(judged, key=lambda row: tuple(row.values())))


def table(judged: Iterable[Row]) -> str:
    """Return the table in Markdown: for errors and warnings, what they rest on, and how many of them were true."""
    counts = {severity: Counter[tuple[str, str]]() for severity in ("error", "warning")}
    for row in judged:
        for basis in ("all", *row["rests on"].split(", ")):
            counts[row["severity"]][basis, row["verdict"]] += 1
    lines = ["| findings | rest on | true | false | doubtful | false, of 100 |", "|---|---|---:|---:|---:|---:|"]
    for severity, of_bases in counts.items():
        totals: Counter[str] = Counter()
        for (basis, _), count in of_bases.items():
            totals[basis] += count
        for basis, total in totals.most_common():
            each = [of_bases[basis, verdict] for verdict in VERDICTS]
            lines.append(f"| {severity}s | {basis} | {each[0]} | {each[1]} | {each[2]} | {100 * each[1] / total:.0f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
