"""What loops have changed, so that one that is traced again and again can be passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import Cell


@dataclass(slots=True)
class LoopChanges:
    """The cells of variables and earlier objects that each loop changed when it was last followed.

    The address of variables of its own frame is 0 here: another call has another frame. `_steps` are the evaluation
    steps that it took then.
    """

    _of: dict[int, frozenset[Cell]] = field(default_factory=dict)
    _steps: dict[int, int] = field(default_factory=dict)

    def note(self, loop: object, frame: Frame, changed: Iterable[Cell], steps: int = 0) -> None:
        """Note what a loop has changed, and the steps that this took, if it was followed to the end."""
        own = frame.address
        self._steps[id(loop)] = steps or self.steps_of(loop)
        self._of[id(loop)] = frozenset((0 if address == own else address, key) for address, key in changed)

    def add(self, loop: object, frame: Frame, changed: Iterable[Cell]) -> None:
        """Note what a loop has changed, too."""
        self.note(loop, frame, {*self.of(loop, frame), *changed})

    def steps_of(self, loop: object) -> int:
        """Return the steps that a loop took when it was last followed to the end."""
        return self._steps.get(id(loop), 0)

    def are_known(self, loop: object) -> bool:
        """Return whether a loop has been followed before."""
        return id(loop) in self._of

    def of(self, loop: object, frame: Frame) -> Iterator[Cell]:
        """Yield the cells that a loop changed."""
        return ((address or frame.address, key) for address, key in self._of[id(loop)])
