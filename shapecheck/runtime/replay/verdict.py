"""Judgement of a replay: from the result of the child process to a confirmation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from shapecheck.findings import Confirmation, titled

Expectation = Literal["error", "dtype error", "result", "staged"]
Mode = Literal["graph", "plain"]
RunStatus = Literal["ran", "raised", "absent", "crashed", "timed-out", "out-of-memory", "unavailable"]

CONFIRMED, REFUTED, NOT_REPRODUCIBLE = "confirmed", "refuted", "not-reproducible"
CRASHED, TIMED_OUT = "crashed", "timed-out"

LONGEST_TEXT = 300

# The classes whose errors may be about shapes; anything else (a missing attribute, a missing file) is another matter.
_TELLING = frozenset({"ValueError", "IndexError", "TypeError", "InvalidArgumentError", "AbortedError", "InternalError"})
_UNTELLING = frozenset({"NotImplementedError", "UnicodeError", "MemoryError", "UnimplementedError", "OSError"})

# Errors of telling classes that are about something else: how the call binds, dtypes, graph mode, values.
_OF_DTYPES = re.compile(
    r"was expected to be an? .* tensor but is an? .* tensor|does not match (type|expected type)|same dtype"
    r"|Tensor conversion requested dtype|Cannot convert|Cannot cast|not in the list of allowed values"
    r"|is not a valid dtype|not supported between instances|Expected \w+ (for|passed)|requires real- or complex-valued"
    r"|but (expected|found|got) \w+|should be the same|can't be cast|scalar type"
)
_OTHER_MATTERS = re.compile(
    r"unexpected keyword argument|required (positional|keyword-only) argument|takes .*positional argument"
    r"|multiple values for argument|Unrecognized keyword arguments|unsupported operand type|is not callable"
    r"|was expected to be an? .* tensor but is an? .* tensor|that does not match (type|expected type)"
    r"|Tensor conversion requested dtype|Value for attr '\w+' of|Value passed to parameter .* has DataType"
    r"|Cannot cast|could not be cast|No OpKernel was registered|Could not find device|Expected dtype|data type .* not"
    r"|Cannot convert a symbolic|Using a symbolic|KerasTensor cannot be used|eager execution|in eager mode"
    r"|must be compiled|should be compiled|call `?compile\(?|Graph is finalized|must be from the same graph"
    r"|must feed a value for placeholder|uninitialized"
    r"|not invertible|[Ss]ingular matrix|not positive definite|Cholesky decomposition|did not converge",
)

# PyTorch's words about shapes, in errors of a general class.
_OF_PYTORCH = re.compile(
    r"sizes? of (the )?tensors?|mat1 and mat2|shape '\[.*\]' is invalid|to have \d+ (channels|dimensions)|equal size"
    r"|[Ee]xpected size|does not broadcast with|out of (bounds|range)|size mismatch|must be (equal|divisible|smaller)"
    r"|size of (tensor|input)|same number of dimensions|number of (dims|dimensions|channels)|invalid for input of size"
    r"|Kernel size|output size|batch_size|embedding dimension|[Ee]xpected (\d-D|\dD|a \d|input|hidden|target|tensor)"
    r"|running_mean should contain|target tensor expected|class probabilities|hx should|must be a (3D tensor|matrix)"
    r"|attn_mask|shape|split_with_sizes|must have same size|dimension|divisible|weight tensor should be defined"
    r"|number of (indices|elements)",
    re.IGNORECASE,
)
_UNIMPLEMENTED_RANK = re.compile(r"Got \dD input")


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a program in a child process.

    `classes` are the names of the error's class and its bases, `line` the line of the program that raised it, `lines`
    all lines on the way to it and those that the message names, `text` the message, the missing name, the signal, or
    why no library is available.
    """

    status: RunStatus
    classes: tuple[str, ...] = ()
    text: str = ""
    line: int = 0
    lines: tuple[int, ...] = ()


def judge(
    run: Run,
    *,
    fault_line: int,
    expects: Expectation,
    mode: Mode,
    library: str = "",
    guessed: bool = False,
    dated: bool = False,
    fault_end: int = 0,
    symptom: str = "",
    called: bool = False,
) -> Confirmation:
    """Return the confirmation that a run amounts to; `library` is the name and version of the library that ran it.

    A program with guessed values refutes nothing, nor does one for a version that is not the installed one.
    """
    if run.status != "raised":
        verdict = _judge_other(run, expects)
    elif expects == "staged":
        verdict = _judge_staged(run, fault_line, fault_end, symptom, called)
    else:
        verdict = _judge_raised(run, fault_line, expects, mode)
    if verdict.status == NOT_REPRODUCIBLE and run.status == "absent":
        verdict = replace(verdict, text=f"{run.text} is gone from {_spelled(library)}" if library else verdict.text)
    if verdict.status == REFUTED and guessed:
        missing = "may take another path" if expects == "staged" else "guesses unknown values"
        verdict = _not_reproducible(f"the replay, which {missing}, shows no error")
    if verdict.status == REFUTED and dated:
        verdict = _not_reproducible(f"only TensorFlow 1 rejects this{f', not {_spelled(library)}' if library else ''}")
    return replace(verdict, library=library)


def _spelled(libraries: str) -> str:
    return ", ".join(map(titled, libraries.split(", ")))


def _judge_other(run: Run, expects: Expectation) -> Confirmation:
    if run.status == "ran":
        return Confirmation(CONFIRMED if expects == "result" else REFUTED)
    if run.status == "crashed":
        return Confirmation(CRASHED, error=run.text, text=f"the library ended the process ({run.text})")
    if run.status == "timed-out":
        return Confirmation(TIMED_OUT, text=run.text)
    if run.status == "out-of-memory":
        return Confirmation(NOT_REPRODUCIBLE, text="the replay needs too much memory")
    if run.status == "absent":
        return Confirmation(NOT_REPRODUCIBLE, text=f"{run.text} is gone")
    return Confirmation(NOT_REPRODUCIBLE, text=run.text)


def _judge_raised(run: Run, fault_line: int, expects: Expectation, mode: Mode) -> Confirmation:
    error, text = run.classes[0], one_line(run.text)
    if run.line < fault_line:
        return _not_reproducible(f"the replay fails earlier, with {error}: {text}")
    if expects == "dtype error" and _OF_DTYPES.search(text):
        return Confirmation(CONFIRMED, error=error, text=text)
    if expects != "error":
        status = REFUTED if error == "AssertionError" else NOT_REPRODUCIBLE
        return Confirmation(status, error=error, text=text)
    if not is_about_shapes(run.classes, run.text) or (mode == "graph" and "TypeError" in run.classes):
        return _not_reproducible(f"the replay fails for another reason, with {error}: {text}")
    return Confirmation(CONFIRMED, error=error, text=text)


def _judge_staged(run: Run, first: int, last: int, symptom: str, called: bool) -> Confirmation:
    """Judge an error by its words and its place, which is in these lines (after the first if there is no last) or in a
    function that is `called` there, or by what the program itself has observed."""
    error = run.classes[0]
    if error == "ObservedError":
        return Confirmation(CONFIRMED, text=one_line(run.text))
    lines = [line.strip() for line in run.text.splitlines()]
    told = next((line for line in reversed(lines) if line and re.search(symptom, line)), "")
    text = one_line(told) or one_line(run.text)
    places = run.lines if called else run.lines[-1:]
    is_there = any(first <= line <= last for line in places) if last and places else first <= run.line
    if not told or not is_there:
        return _not_reproducible(f"the replay fails for another reason, with {error}: {text}")
    return Confirmation(CONFIRMED, error=error, text=text)


def _not_reproducible(text: str) -> Confirmation:
    return Confirmation(NOT_REPRODUCIBLE, text=text)


def is_about_shapes(classes: Iterable[str], message: str) -> bool:
    """Return whether an error may be about shapes, by the names of its classes and its message."""
    names = frozenset(classes)
    if _UNIMPLEMENTED_RANK.match(message):
        return True
    if names & {"RuntimeError", "AssertionError"} and not names & _UNTELLING and _OF_PYTORCH.search(message):
        return True
    if names & _UNTELLING or not names & _TELLING:
        return False
    return _OTHER_MATTERS.search(message) is None


_NOISE = (
    (re.compile(r"\x1b\[[0-9;]*m"), ""),  # colours
    (re.compile(r"\.? for '\{\{node .*?\)'(?= with|\.|$)"), ""),
    (re.compile(r"\{\{(function_node|node) [^}]*\}\}\s*"), ""),
    (re.compile(r"\s*\[Op:[^\]]*\]( name:.*)?"), ""),
    (re.compile(r"^(\w+\.)*\w*(Error|Exception): "), ""),
    (re.compile(r"0x[0-9a-f]{6,}"), "0x…"),
    (re.compile(r"\s+"), " "),
)
_ERROR_LINE = re.compile(r"\s*(\w+\.)*\w+(Error|Exception): .")
_PREAMBLE = re.compile(
    r"(Exception encountered when calling|Graph execution error|Detected at node|in user code:|File \"|Traceback"
    r"|Arguments received by|Call arguments received|\d+ root error)"
)


def one_line(message: str) -> str:
    """Return the first informative line of an error message, without parts that vary from run to run."""
    for line in _telling_lines(message):
        for pattern, replacement in _NOISE:
            line = pattern.sub(replacement, line)
        line = line.strip()
        if line and not _PREAMBLE.match(line):
            return line if len(line) <= LONGEST_TEXT else line[: LONGEST_TEXT - 1] + "…"
    return ""


def _telling_lines(message: str) -> list[str]:
    """Return the candidate lines: those at the end of a stack trace of TensorFlow, or all."""
    lines = message.splitlines()
    if message.startswith("in user code:"):
        return [line.strip() for line in lines if _ERROR_LINE.match(line)][-1:] or lines
    after_node = next((at + 1 for at, line in enumerate(lines) if line.startswith("Node: ")), 0)
    return lines[after_node:]


# The most telling first: what some device rejects is worth more than what another lets pass.
_WEIGHT = (CONFIRMED, CRASHED, TIMED_OUT, REFUTED, NOT_REPRODUCIBLE)


def combined(confirmations: Iterable[Confirmation]) -> Confirmation:
    """Return one confirmation for several devices: the most informative, with the devices that agree on it."""
    every = list(confirmations)
    best = min(every, key=lambda item: _WEIGHT.index(item.status))
    agreeing = [item.device for item in every if item.status == best.status]
    return replace(best, device=", ".join(agreeing))
