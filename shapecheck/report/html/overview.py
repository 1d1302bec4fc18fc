"""The head of the page: totals, findings by rule, and a heat map of what is known of each file."""

from __future__ import annotations

from collections import Counter

from shapecheck.findings import Severity
from shapecheck.report.html.markup import tag, text
from shapecheck.report.html.page import FileSurvey, Page
from shapecheck.report.paths import relative

_STEPS = 5
_MOST_RULES = 12


def totals(page: Page) -> str:
    """Return the counts of findings by severity, of files, and the share of known shapes."""
    found = Counter(finding.severity for finding in page.findings)
    parts = [
        _total(found[severity], severity.value if found[severity] == 1 else _PLURALS[severity], severity.value)
        for severity in Severity
        if found[severity] or severity in (Severity.ERROR, Severity.WARNING)
    ]
    parts.append(_total(len(page.files), "file" if len(page.files) == 1 else "files", "files"))
    known, total = sum(file.known for file in page.files), sum(file.total for file in page.files)
    if total:
        parts.append(_total(f"{known / total:.0%}", f"of {total:,} shapes known", "known"))
    return "".join(parts)


_PLURALS = {Severity.ERROR: "errors", Severity.WARNING: "warnings", Severity.PERF: "perf", Severity.INFO: "info"}


def _total(count: object, words: str, kind: str) -> str:
    return tag("li", f"{tag('b', text(count))} {tag('span', text(words))}", class_=f"total {kind}")


def problems(page: Page) -> str:
    """Return what could not be checked."""
    if not page.problems:
        return ""
    items = "".join(tag("li", text(problem)) for problem in page.problems)
    return tag("section", tag("h2", "Not checked") + tag("ul", items), class_="problems")


def rule_bars(page: Page) -> str:
    """Return the number of findings of each rule as bars."""
    found = Counter((finding.code, finding.name) for finding in page.findings).most_common(_MOST_RULES)
    most = max((count for _, count in found), default=1)
    return "".join(
        tag(
            "li",
            tag("span", text(f"{code} {name}"))
            + tag("meter", str(count), value=count, max=most)
            + tag("b", str(count)),
        )
        for (code, name), count in found
    )


def file_tiles(page: Page) -> str:
    """Return one tile for each file, coloured by the share of known shapes."""
    findings = Counter(finding.place.filename for finding in page.findings)
    return "\n".join(_tile(number, file, findings[file.source.filename]) for number, file in enumerate(page.files))


def _tile(number: int, file: FileSurvey, findings: int) -> str:
    name = relative(file.source.filename)
    share = f"{file.known / file.total:.0%}" if file.total else "no tensors"
    step = min(int(file.known / file.total * _STEPS), _STEPS - 1) if file.total else "none"
    told = f"{name}: {file.known} of {file.total} shapes known" if file.total else f"{name}: no tensors"
    if findings:
        told += f", {findings} finding{'' if findings == 1 else 's'}"
    folder, _, base = name.rpartition("/")
    inside = tag("span", text(base), class_="base") + tag("span", text(folder), class_="folder")
    inside += tag("span", share, class_="share") + (tag("span", str(findings), class_="count") if findings else "")
    link = tag("a", inside, class_=f"tile know-{step}", href=f"#file={number}", title=told, aria_label=told)
    return tag("li", link)
