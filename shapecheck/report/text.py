"""A finding as text for people: the first line is complete; below it are the code, the shapes and their origins."""

from __future__ import annotations

from collections.abc import Iterator

from shapecheck.changed_lines import Change, changes
from shapecheck.findings import Certainty, Confirmation, Finding, Fix, Frame, Operand, titled
from shapecheck.report.concise import headline
from shapecheck.report.frame import frame, gutter
from shapecheck.report.result import Run
from shapecheck.report.style import SEVERITY_COLOURS, paint, printable, wrapped

_LONGEST_ORIGIN = 80
_MOST_RELATED = 6


def render(run: Run) -> str:
    return "\n".join(block(finding, run.colour, run.columns) for finding in run.findings)


def block(finding: Finding, colour: bool = False, columns: int = 0, *, is_asked: bool = False) -> str:
    """Return the full text of a finding, over several lines; they fit into these columns, if any are given. Where the
    user `is_asked` which fix to take, they have numbers."""
    lead = " " * gutter(finding.place) + " " + paint("=", "cyan", colour) + " "
    indent = gutter(finding.place) + 3
    lines = [wrapped(headline(finding, colour), columns, indent)]
    lines += frame(finding.place, colour, SEVERITY_COLOURS[finding.severity], columns)
    for note in notes(finding, colour, is_asked=is_asked):
        first, *code = note.split("\n")
        lines += [wrapped(lead + first, columns, indent), *(" " * indent + line for line in code)]
    return "\n".join(lines) + "\n"


def notes(finding: Finding, colour: bool = False, *, is_asked: bool = False) -> Iterator[str]:
    """Yield the notes below the code, of one or several lines."""
    for operand in finding.operands:
        yield _operand(operand)
    for call in finding.call_path:
        yield _call(call)
    yield from _related(finding)
    for guard in finding.guards:
        yield f"when {printable(guard)}"
    if finding.witness and finding.certainty is Certainty.WITNESS:
        yield "for example with " + ", ".join(f"{name} = {size}" for name, size in sorted(finding.witness.items()))
    if finding.help:
        yield f"{paint('help:', 'bold', colour)} {printable(finding.help)}"
    for number, fix in enumerate(finding.fixes):
        option = " (--fix)" if fix.is_safe else " (--fix --unsafe-fixes)"
        if is_asked:
            yield _fix(fix, f"fix {number + 1}", "", colour)
        else:
            yield _fix(fix, "or" if number else "fix", option, colour)
    if finding.confirmation:
        yield confirmation(finding.confirmation, colour)


def _related(finding: Finding) -> Iterator[str]:
    """Yield where else the cause shows."""
    for related in finding.related[:_MOST_RELATED]:
        where = "" if related.place == finding.place else f" at {related.place}"
        yield printable(f"also{where}: {related.message}")
    if len(finding.related) > _MOST_RELATED:
        yield f"and {len(finding.related) - _MOST_RELATED} more"


def _fix(fix: Fix, name: str, option: str, colour: bool) -> str:
    """Return the place and the lines of a fix, before and after, and the option that applies it."""
    found = list(changes(fix.edits))
    rows = " and ".join(_rows(change) for change in found)
    is_one = len(found) == 1 and len(found[0].before) < 2
    lines = [f"{paint(f'{name}:', 'bold', colour)} change line{'' if is_one else 's'} {rows}{option}"]
    for change in found:
        lines += (paint(f"- {printable(line.strip())}", "red", colour) for line in change.before)
        lines += (paint(f"+ {printable(line.strip())}", "green", colour) for line in change.after)
    if fix.runs_on:
        lines.append(f"{paint('fix confirmed:', 'green', colour)} runs on {titled(fix.runs_on)}")
    return "\n".join(lines)


def _rows(change: Change) -> str:
    first, count = change.place.row, len(change.before)
    return str(first) if count < 2 else f"{first}-{first + count - 1}"


def _call(call: Frame) -> str:
    """Return `in build, called from train.py:30`; a function without callers is traced from its definition."""
    is_definition = call.place.text == call.function.rpartition(".")[2]
    where = printable(str(call.place))
    return f"in {printable(call.function)}, {where if is_definition else f'called from {where}'}"


def _operand(operand: Operand) -> str:
    """Return `x: (B, 128)   from keras.Input(shape=(128,)), train.py:8`."""
    told = f"{_short(operand.text)}: {operand.shape}" if operand.text else operand.shape
    if operand.origin is None:
        return f"{told}   {_short(operand.origin_text)}".rstrip()
    written = _short(operand.origin_text or operand.origin.text)
    return f"{told}   from {written}, {printable(str(operand.origin))}"


def _short(text: str) -> str:
    joined = printable(" ".join(text.split()))
    return joined if len(joined) <= _LONGEST_ORIGIN else joined[: _LONGEST_ORIGIN - 1] + "…"


def confirmation(said: Confirmation, colour: bool = False) -> str:
    """Return what a replay has shown, in one line."""
    subject = ", ".join(titled(library) for library in said.library.split(", ")) or "the library"
    device = f" on {said.device.upper()}" if said.device and said.device != "cpu" else ""
    match said.status:
        case "confirmed":
            return f"{paint('confirmed:', 'green', colour)} {printable(_shown(said, subject + device))}"
        case "refuted":
            note = f"{subject}{device} accepts this; please report this false alarm"
            return f"{paint('refuted:', 'yellow', colour)} {printable(note)}"
        case "crashed":
            return printable(f"crashed: {subject}{device} aborts the whole process")
        case "timed-out":
            return printable(f"timed out: {subject}{device} did not answer in time")
        case status:
            if said.text.endswith("is not installed"):  # which says nothing of the finding
                return printable(f"not tried: {said.text} in this environment")
            return printable(f"{status.replace('-', ' ')}: {said.text or said.error or 'unknown reason'}")


def _shown(said: Confirmation, library: str) -> str:
    """Return what a replay has shown: the library's error, or what the program counted."""
    words = f": {said.text}" if said.text else ""
    if said.error:
        return f"{library} raises {said.error}{words}"
    return f"{said.text} on {library}" if said.text else f"{library} behaves like this"
