"""What shapecheck reports: plain data, made by rules, completed by the runtime, shown by reports.

It knows nothing of how a finding was inferred or how it is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from shapecheck.source import Place


class Severity(Enum):
    """How bad: an error fails on every execution that reaches its place."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def order(self) -> int:
        return list(Severity).index(self)


class Certainty(Enum):
    """How sure; set by the engine, never by a rule."""

    PROVED = "proved"
    WITNESS = "witness"
    PATTERN = "pattern"


@dataclass(frozen=True, slots=True)
class Operand:
    """A value that took part: how it is written, its printed shape, and the place and text it came from."""

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
    """What the real library said.  `status` is confirmed, refuted, not-reproducible, crashed or timed-out."""

    status: str
    device: str = ""
    library: str = ""
    error: str = ""
    text: str = ""


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
    """`tensorflow` or `tensorflow 2.21.0` as its makers spell it."""
    name, space, version = library.partition(" ")
    return _TITLES.get(name, name) + space + version


@dataclass(frozen=True, slots=True)
class Edit:
    """What a place is to read."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that do away with a finding; `title` says what they do.

    A safe one can only be what was meant; of any other, somebody has to judge that.
    """

    title: str
    edits: tuple[Edit, ...]
    is_safe: bool = False

    @property
    def applicability(self) -> str:
        return "safe" if self.is_safe else "unsafe"


@dataclass(frozen=True, slots=True)
class Finding:
    """One report.  `step` is the number of the failing step in the dataflow graph, for the replay."""

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
    fix: Fix | None = None

    @property
    def rank(self) -> tuple[int, int]:
        """Of several findings in one place the one with the lowest is told."""
        return self.severity.order, len(self.call_path)

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        return (self.place.filename, self.place.start, self.place.end, self.code, self.message)
