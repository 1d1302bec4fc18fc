"""The promise of each fix that is offered: its finding is gone, and no other appears.

`python -m tests.support.promises FOLDER…` checks every file below some folders, and each of their fixes.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from shapecheck.checker.pipeline import check
from shapecheck.config import Config
from shapecheck.findings import Finding, Fix, Severity

_MOST = 3


def broken_promises(text: str, name: str = "<stdin>") -> Iterator[str]:
    """Yield the fixes of a program that leave their finding, or bring another one."""
    found = _checked(text, name, _MOST)
    for finding in found:
        for fix in finding.fixes:
            after = _counted(_checked(edited(fix), name, 0))
            if after[_key(finding)] >= _counted(found)[_key(finding)]:
                yield f"{name}:{finding.place.row}: {finding.message}: still there after: {fix.title}"
            for code, message in after - _counted(found):
                yield f"{name}:{finding.place.row}: {finding.message}: {fix.title}: brings {code} {message}"


def edited(fix: Fix) -> str:
    """Return the program with a fix."""
    edits = [(edit.place.start, edit.place.end, edit.text) for edit in fix.edits]
    return fix.edits[0].place.source.edited(edits).text


def _checked(text: str, name: str, fixes: int) -> list[Finding]:
    return check(["-"], Config(fixes=fixes, stdin_filename=name), stdin=text).findings


def _key(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.message


def _counted(found: Iterable[Finding]) -> Counter[tuple[str, str]]:
    return Counter(_key(finding) for finding in found if finding.severity is not Severity.INFO)


def main(folders: list[str]) -> None:
    """Print the promises that are broken, and how many fixes there were."""
    files = findings = fixes = 0
    for path in sorted(path for folder in folders for path in Path(folder).rglob("*.py")):
        try:
            text = path.read_text(encoding="utf-8")
        except (UnicodeDecodeError, OSError):
            continue
        found = _checked(text, str(path), _MOST)
        files, findings = files + 1, findings + len(found)
        fixes += sum(len(finding.fixes) for finding in found)
        if any(finding.fixes for finding in found):
            print(*broken_promises(text, str(path)), sep="\n", end="", flush=True)
    print(f"{files} files, {findings} findings, {fixes} fixes")


if __name__ == "__main__":
    main(sys.argv[1:])
