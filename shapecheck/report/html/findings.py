"""The findings as cards: code, shapes, the chain from where they come from to the failure, what the library said, and
fixes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shapecheck.changed_lines import Change, changes
from shapecheck.findings import Certainty, Finding, Fix
from shapecheck.report.html.markup import tag, text
from shapecheck.report.html.page import Page, Pictures, key_of
from shapecheck.report.json import page_of
from shapecheck.report.paths import relative
from shapecheck.report.text import confirmation
from shapecheck.source import Place

_AROUND = 2
_MOST_ROWS = 8


def cards(page: Page) -> str:
    """Return one card for each finding, in their order."""
    pictures = {key: drawn for file in page.files for key, drawn in file.pictures.items()}
    numbers = {relative(file.source.filename): number for number, file in enumerate(page.files)}
    return "\n".join(
        _card(number, finding, pictures.get(key_of(finding), Pictures()), numbers, page.site)
        for number, finding in enumerate(page.findings)
    )


def _card(number: int, finding: Finding, pictures: Pictures, files: Mapping[str, int], site: str) -> str:
    place, severity = finding.place, finding.severity.value
    head = tag("span", severity, class_=f"severity {severity}")
    head += tag("span", text(finding.message), class_="message")
    head += tag("span", text(f"{finding.code} {finding.name}"), class_="rule")
    head += tag("span", text(_where(place)), class_="where")
    parts = [_frame(place), _operands(finding, files), _chain(finding, files), _conditions(finding)]
    parts += [_confirmation(finding), *(_fix(fix, at) for at, fix in enumerate(finding.fixes))]
    parts += [_pictures(number, pictures), _links(finding, files, site)]
    return tag(
        "details",
        tag("summary", head) + tag("div", "".join(parts), class_="body"),
        class_="finding",
        id_=f"finding-{number}",
        data_file=relative(place.filename),
        data_rule=f"{finding.code} {finding.name}",
        data_cause=_cause(finding),
        data_severity=severity,
    )


def _where(place: Place) -> str:
    return f"{place.where.replace(place.filename, relative(place.filename), 1)}:{place.row}:{place.column}"


def _cause(finding: Finding) -> str:
    """Return what a finding comes from: the line that its fix changes, otherwise where the first of its shapes is
    declared, otherwise its own line."""
    origins = [operand.origin for operand in finding.operands if operand.origin is not None]
    fixed = [edit.place for edit in finding.fix.edits[:1]] if finding.fix is not None else []
    place = next(iter([*fixed, *origins]), finding.place)
    return f"{relative(place.filename)}:{place.row}  {place.line(place.row).strip()}"


# The code ----------------------------------------------------------------------------------------------------------


def _frame(place: Place) -> str:
    """Return the rows around a place, with the place marked."""
    source = place.source
    first, last = source.position(place.start)[0], source.position(place.end)[0]
    end = min(last, first + _MOST_ROWS) + _AROUND
    shown = [row for row in range(max(1, first - _AROUND), end + 1) if row <= len(source.line_starts)]
    while shown[-1] > last and not source.line(shown[-1]).strip():
        shown.pop()
    offset = place.row - first
    rows = "".join(_row(place, row, row + offset) for row in shown)
    return tag("pre", rows, class_="frame", tabindex=0, aria_label="The code")


def _row(place: Place, row: int, shown: int) -> str:
    start, line = place.source.line_starts[row - 1], place.source.line(row)
    left, right = (min(max(offset - start, 0), len(line)) for offset in (place.start, place.end))
    marked = (
        f"{text(line[:left])}<mark>{text(line[left:right])}</mark>{text(line[right:])}" if left < right else text(line)
    )
    return f'<span class="no">{shown}</span>{marked}\n' if shown > 0 else ""


# What is known -----------------------------------------------------------------------------------------------------


def _operands(finding: Finding, files: Mapping[str, int]) -> str:
    rows = [
        tag(
            "tr",
            tag("th", tag("code", text(operand.text or "value")), scope="row")
            + tag("td", tag("code", text(operand.shape))),
        )
        for operand in finding.operands
    ]
    return tag("table", tag("caption", "Shapes") + "".join(rows), class_="shapes") if rows else ""


def _chain(finding: Finding, files: Mapping[str, int]) -> str:
    """Return the way from the declarations of the shapes through the calls to the failure."""
    steps = [
        tag("code", text(f"{operand.text}: {operand.shape}" if operand.text else operand.shape))
        + " comes from "
        + tag("code", text(_short(operand.origin_text or operand.origin.text)))
        + _at(operand.origin, finding, files)
        for operand in finding.operands
        if operand.origin is not None
    ]
    steps += [
        f"{tag('code', text(call.function))} is called{_at(call.place, finding, files)}" for call in finding.call_path
    ]
    if not steps:
        return ""
    steps.append(f"{tag('code', text(_short(finding.place.text)))} fails{_at(finding.place, finding, files)}")
    items = "".join(tag("li", step) for step in steps)
    return tag("h5", "From declaration to failure") + tag("ol", items, class_="chain")


def _at(place: Place, finding: Finding, files: Mapping[str, int]) -> str:
    """Return where a place is, as a link into the annotated source if that is shown; without the file's name if the
    finding is in it."""
    name = relative(place.filename)
    is_here = place.where == finding.place.where
    where = text(f"line {place.row}" if is_here else f"{place.where.replace(place.filename, name, 1)}:{place.row}")
    if name not in files:
        return tag("span", where, class_="at")
    row = place.source.position(place.start)[0]
    return tag("a", where, class_="at", href=f"#file={files[name]}&line={row}")


def _short(code: str, most: int = 90) -> str:
    joined = " ".join(code.split())
    return joined if len(joined) <= most else joined[: most - 1] + "…"


def _conditions(finding: Finding) -> str:
    told = [f"when {guard}" for guard in finding.guards]
    if finding.witness and finding.certainty is Certainty.WITNESS:
        told.append(
            "for example with " + ", ".join(f"{name} = {size}" for name, size in sorted(finding.witness.items()))
        )
    if finding.help:
        told.append(f"help: {finding.help}")
    return tag("ul", "".join(tag("li", text(each)) for each in told), class_="conditions") if told else ""


def _confirmation(finding: Finding) -> str:
    said = finding.confirmation
    return "" if said is None else tag("p", text(confirmation(said)), class_=f"confirmation {said.status}")


def _fix(fix: Fix, number: int) -> str:
    safe = "safe" if fix.is_safe else "needs review"
    tried = ", tried: the program was checked with it" if fix.is_tried else ""
    head = tag("h5", f"{'Or' if number else 'Fix'} {tag('small', f'({safe}{tried})')}")
    found = list(changes(fix.edits))
    indent = min(
        (_indent(line) for change in found for line in (*change.before, *change.after) if line.strip()), default=0
    )
    lines = "".join(line for change in found for line in _changed(change, indent))
    return head + tag("pre", lines, class_="diff", tabindex=0, aria_label="The fix as a diff")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _changed(change: Change, indent: int) -> Iterator[str]:
    """Yield the lines of a change, without the indentation that all of them have."""
    first = change.place.row
    for at, line in enumerate(change.before):
        yield tag("del", f'<span class="no">{first + at}</span>- {text(line[indent:])}')
    for line in change.after:
        yield tag("ins", f'<span class="no"></span>+ {text(line[indent:])}')


def _pictures(number: int, pictures: Pictures) -> str:
    """Return where drawings are shown as soon as they are opened."""
    titles = {"dataflow": "Dataflow that leads here", "model": "The model, before and after the fix"}
    if not pictures.after:
        titles["model"] = "The model"
    wanted = [("dataflow", pictures.dataflow), ("model", pictures.before)]
    return "".join(
        tag("details", tag("summary", titles[kind]), class_="picture", data_finding=number, data_kind=kind)
        for kind, drawn in wanted
        if drawn
    )


def _links(finding: Finding, files: Mapping[str, int], site: str) -> str:
    name = relative(finding.place.filename)
    row = finding.place.source.position(finding.place.start)[0]
    links = [tag("a", "Show in the source", href=f"#file={files[name]}&line={row}")] if name in files else []
    if site and page_of(finding.category, finding.name) is not None:
        address = f"{site.rstrip('/')}/rules/{finding.name}/"
        links.append(tag("a", f"About {text(finding.name)}", href=address, rel="noreferrer"))
    return tag("p", " · ".join(links), class_="links") if links else ""
