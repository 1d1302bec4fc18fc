"""The names that a function binds, found during lowering.

It knows scopes and nothing of syntax trees: the lowering announces each scope that opens or closes, and each binding.
"""

from __future__ import annotations

from shapecheck import ir


class Frame:
    """One open scope: a module, class, function or lambda."""

    __slots__ = ("bound", "elsewhere", "is_generator")

    def __init__(self, bound: set[str]) -> None:
        self.bound = bound
        self.elsewhere: set[str] = set()
        self.is_generator = False

    @property
    def local(self) -> frozenset[str]:
        """Return names bound here and not declared `global` or `nonlocal`."""
        return frozenset(self.bound - self.elsewhere)


class Frames:
    """The scopes open at one point of the traversal, innermost last.

    Comprehensions open none: their targets are simply not announced, and a walrus inside one binds in the function
    around it, as in Python.
    """

    __slots__ = ("_open", "innermost")

    def __init__(self) -> None:
        self.innermost = Frame(set())
        self._open = [self.innermost]

    def enter(self, bound: set[str]) -> None:
        self.innermost = Frame(bound)
        self._open.append(self.innermost)

    def leave(self) -> Frame:
        left = self._open.pop()
        self.innermost = self._open[-1]
        return left

    def bind(self, name: str) -> None:
        self.innermost.bound.add(name)

    def bind_target(self, target: ir.Expr) -> None:
        """Bind the names in an assignment target."""
        if isinstance(target, ir.Name):
            self.bind(target.id)
        elif isinstance(target, ir.Display):
            for item in target.items:
                self.bind_target(item)
        elif isinstance(target, ir.Starred):
            self.bind_target(target.value)

    def declare(self, names: tuple[str, ...]) -> None:
        """Declare `global` or `nonlocal` names."""
        self.innermost.elsewhere.update(names)
