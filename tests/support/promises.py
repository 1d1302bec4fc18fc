"""The promise of each fix that is offered: its finding is gone, and no other appears.

`python -m tests.support.promises FOLDER…` checks every file below some folders, and each of their fixes.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from shapecheck.checker.pipeline import check
from shapecheck.config import Config
from shapecheck.findings import Finding, Fix, Severity
from shapecheck.fixes.apply import fixed_files

_MOST = 3


def checked(text: str, name: str = "<stdin>", keras: str = "", fixes: int = _MOST) -> list[Finding]:
    """Return the findings of a program for a version of Keras, with up to so many fixes each."""
    target = {"keras": keras} if keras else {}
    return check(["-"], Config(fixes=fixes, stdin_filename=name, target=target), stdin=text).findings


def broken_promises(found: Sequence[Finding], keras: str = "") -> Iterator[str]:
    """Yield the fixes of a program that leave their finding or bring another one, and the findings that the first fixes
    leave if they are made together."""
    for finding in found:
        where = f"{finding.place.filename}:{finding.place.row}: {finding.message}"
        for fix in finding.fixes:
            after = _counted(checked(edited(fix), finding.place.filename, keras, 0))
            if after[_key(finding)] >= _counted(found)[_key(finding)]:
                yield f"{where}: still there after: {fix.title}"
            for code, message in after - _counted(found):
                yield f"{where}: {fix.title}: brings {code} {message}"
    yield from left_together(found, keras)


def left_together(found: Sequence[Finding], keras: str = "") -> Iterator[str]:
    """Yield the findings with a fix that are still there after all first fixes; a wrong guess may leave another fault
    in their place."""
    mended = {(finding.place.row, finding.message) for finding in found if finding.fix}
    for file in fixed_files(found, unsafe=True):
        after = checked(file.text, file.source.filename, keras, 0)
        for row, message in mended & {(finding.place.row, finding.message) for finding in after}:
            yield f"{file.source.filename}:{row}: {message}: still there after all fixes:\n{file.diff()}"


def edited(fix: Fix) -> str:
    """Return the program with a fix."""
    edits = [(edit.place.start, edit.place.end, edit.text) for edit in fix.edits]
    return fix.edits[0].place.source.edited(edits).text


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
        found = checked(text, str(path))
        files, findings = files + 1, findings + len(found)
        fixes += sum(len(finding.fixes) for finding in found)
        print(*broken_promises(found), sep="\n", end="", flush=True)
    print(f"{files} files, {findings} findings, {fixes} fixes")


if __name__ == "__main__":
    main(sys.argv[1:])
