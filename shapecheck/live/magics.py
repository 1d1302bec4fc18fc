"""The extension of IPython and Jupyter: each cell is checked before it runs, with the values that the kernel holds."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING, Any

from IPython.core.error import InputRejected, UsageError

from shapecheck.live.checking import NOTHING, Told, check_cell
from shapecheck.live.describe import table

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, InteractiveShell

MODES = ("on", "off", "strict")


class NotRun(InputRejected):  # type: ignore[misc]
    """A cell that is not run; IPython shows one line of it, without what happened inside."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


class CellChecker:
    """The checks of one shell: `mode` says whether each cell is checked, and whether one that fails is run."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        self.mode = "on"
        self._told = NOTHING
        self._is_inside = False

    def load(self) -> None:
        """Begin to check cells. The first check is made at once, since it loads what all others need."""
        self.shell.events.register("pre_run_cell", self._before)
        self.shell.ast_transformers.append(self)
        self.shell.register_magic_function(self.shapecheck, "line_cell")
        self.shell.register_magic_function(self.shapes, "line")
        check_cell("import numpy as np\nnp.zeros((2, 3)) @ np.zeros((4, 5))", [], {})

    def unload(self) -> None:
        self.shell.events.unregister("pre_run_cell", self._before)
        self.shell.ast_transformers.remove(self)

    def _before(self, info: ExecutionInfo) -> None:
        """Check a cell that is about to run."""
        self._told = NOTHING
        if self.mode != "off" and not self._is_inside:
            self._told = self._check(str(info.raw_cell))

    def _check(self, cell: str) -> Told:
        history = [str(each) for each in self.shell.user_ns.get("In", [""])]
        try:
            told = check_cell(cell, history, self.shell.user_ns)
        except Exception as error:  # a defect here must not stop the user's work
            print(f"shapecheck: this cell was not checked ({type(error).__name__}: {error})")
            return NOTHING
        if told.findings:
            print(told.text(colour=_takes_colour(self.shell)))
        return told

    def visit(self, node: ast.Module) -> ast.Module:
        """Return a cell unchanged; in strict mode refuse one that certainly fails."""
        told, self._told = self._told, NOTHING
        if self.mode == "strict" and told.fails:
            raise NotRun("shapecheck: the cell was not run (%shapecheck on runs such cells)")
        return node

    def shapecheck(self, line: str, cell: str | None = None) -> None:
        """Check the cells of this session before they run.

        `%shapecheck on` tells what is found, `%shapecheck strict` does not run a cell that certainly fails either,
        `%shapecheck off` checks no cell, and `%%shapecheck` checks and runs one cell.
        """
        wanted = line.strip()
        if wanted and wanted not in MODES:
            raise UsageError(f"%shapecheck takes one of {', '.join(MODES)}")
        if cell is None:
            self.mode = wanted or self.mode
            print(f"shapecheck: {self.mode}")
            return
        told = self._check(cell) if self.mode == "off" or wanted == "strict" else NOTHING
        if wanted == "strict" and told.fails:
            return
        self._is_inside = True
        try:
            self.shell.run_cell(cell, store_history=False)
        finally:
            self._is_inside = False

    def shapes(self, line: str) -> None:
        """Show the shapes of the variables, or of those that are named."""
        names = line.replace(",", " ").split()
        held = self.shell.user_ns
        print(table({name: held[name] for name in names if name in held} if names else dict(held)))


def _takes_colour(shell: Any) -> bool:
    is_notebook = type(shell).__name__ == "ZMQInteractiveShell"
    return (is_notebook or sys.stdout.isatty()) and str(shell.colors).lower() != "nocolor"


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Begin to check the cells of IPython or Jupyter before they run, once: `%load_ext shapecheck`."""
    if _of(shell) is None:
        CellChecker(shell).load()


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Stop checking the cells of IPython or Jupyter: `%unload_ext shapecheck`."""
    found = _of(shell)
    if found is not None:
        found.unload()


def _of(shell: InteractiveShell) -> CellChecker | None:
    return next((each for each in shell.ast_transformers if isinstance(each, CellChecker)), None)
