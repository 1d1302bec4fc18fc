"""Findings as plain data, made by rules, completed by the runtime, shown by reports.

It knows nothing of how a finding was inferred or how it is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from shapecheck.source import Place


class Severity(Enum):
    """The severity of a finding: an error fails on every execution that reaches its place.

    A finding of severity PERF is about a program that is right, but slow.
    """

    ERROR = "error"
    WARNING = "warning"
    PERF = "perf"
    INFO = "info"

    @property
    def order(self) -> int:
        return list(Severity).index(self)

    @property
    def fails(self) -> bool:
        """True if a check with such a finding fails."""
        return self is not Severity.PERF


class Certainty(Enum):
    """The certainty of a finding; set by the engine, never by a rule."""

    PROVED = "proved"
    WITNESS = "witness"
    PATTERN = "pattern"


@dataclass(frozen=True, slots=True)
class Operand:
    """A value that takes part: its text, its printed shape, and the place and text of its origin."""

    text: str
    shape: str
    origin: Place | None = None
    origin_text: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """One call on the way to the place: where `function` was called."""

    place: Place
    function: str


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The result of a replay. `status` is confirmed, refuted, not-reproducible, crashed or timed-out."""

    status: str
    device: str = ""
    library: str = ""
    error: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Related:
    """Another place where the cause of a finding shows, or what else is wrong in the same place."""

    place: Place
    message: str


_TITLES = {
    "cupy": "CuPy",
    "jax": "JAX",
    "keras": "Keras",
    "numpy": "NumPy",
    "tensorflow": "TensorFlow",
    "tf_keras": "tf-keras",
    "torch": "PyTorch",
}


def titled(library: str) -> str:
    """Return `tensorflow` or `tensorflow 2.21.0` with the official spelling of the name."""
    name, space, version = library.partition(" ")
    return _TITLES.get(name, name) + space + version


@dataclass(frozen=True, slots=True)
class Edit:
    """A place and its replacement text."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that remove a finding; `title` describes them.

    A safe fix can only be what was meant; any other needs review. `is_tried` means that the program was analysed with
    the edits: the finding was gone, no other appeared, and nothing that was known became unknown. `runs_on` is the
    library with which the mended call was run, if it was.
    """

    title: str
    edits: tuple[Edit, ...]
    is_safe: bool = False
    is_tried: bool = False
    runs_on: str = ""

    @property
    def applicability(self) -> str:
        return "safe" if self.is_safe else "unsafe"


@dataclass(frozen=True, slots=True)
class Finding:
    """One report. `step` is the number of the failing step in the dataflow graph, for the replay.

    Findings that share one of their `causes` have the same one; one that `follows` from a cause is a consequence.
    `related` are the places of those that are reported with this finding.
    """

    code: str
    name: str
    category: str
    severity: Severity
    certainty: Certainty
    place: Place
    message: str
    operands: tuple[Operand, ...] = ()
    call_path: tuple[Frame, ...] = ()
    guards: tuple[str, ...] = ()
    witness: dict[str, int] = field(default_factory=dict)
    help: str = ""
    confirmation: Confirmation | None = None
    step: int | None = None
    fixes: tuple[Fix, ...] = ()
    causes: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()
    related: tuple[Related, ...] = ()

    @property
    def fix(self) -> Fix | None:
        """Return the fix that is most likely meant."""
        return next(iter(self.fixes), None)

    @property
    def rank(self) -> tuple[int, int]:
        """Return the order of preference: of several findings in one place the lowest is reported."""
        return self.severity.order, len(self.call_path)

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        return (self.place.filename, self.place.start, self.place.end, self.code, self.message)
