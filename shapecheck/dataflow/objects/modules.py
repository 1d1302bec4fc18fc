"""Modules of the program: loaded once, executed when they are first read, and their imports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck import ir, models
from shapecheck.dataflow.state.budget import OutOfFuel
from shapecheck.dataflow.state.call_stack import CallStack
from shapecheck.dataflow.state.endings import OUT_OF_BUDGET, Endings
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import Cell
from shapecheck.dataflow.state.path import PathState
from shapecheck.dataflow.state.running_loops import RunningLoops
from shapecheck.dataflow.state.stage import EAGER
from shapecheck.domain.values import NONE, BoundLibraryMethod, Choice, Const, Library, Lost, ModuleValue, Seq, Value
from shapecheck.models.lang.conventional_names import conventional
from shapecheck.models.lang.loading import is_namespace
from shapecheck.models.lang.names import canonical, is_library
from shapecheck.models.lang.packs import is_itself
from shapecheck.models.lang.registry import constant, lookup
from shapecheck.project.import_paths import find_module, find_relative_module

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

# Modules of Python that the tracer handles itself.
DECLARING = ("__future__", "abc", "bisect", "copy", "dataclasses", "enum", "heapq", "numbers")
WRITTEN = Path(models.__file__).parent / "python" / "written"
"""The folder of modules that say in Python what small packages do which other programs import."""
WRITTEN_CLASSES = ("collections.UserDict", "collections.UserList")
"""The classes of Python's library that such a module describes."""
MODULE_FUEL = 20_000
MAX_IMPORTS = 50


# --- loading and executing -------------------------------------------------------------------------------------------


def load(t: Tracer, path: Path, name: str) -> Value:
    """Return the module of a file, which is executed on first use."""
    program = t.program
    key = program.files.real(path)
    found = program.loaded.get(key)
    if found is not None:
        return found
    source = program.files.source(path)
    if source is None:
        return t.lost("import of an unreadable file")
    address = t.heap.address()
    value = ModuleValue(address, name)
    program.loaded[key] = value
    program.paths[address] = path
    program.pending[address] = Frame(address, source, address, name, kind="module")
    return value


def ensure_executed(t: Tracer, address: int) -> None:
    """Execute a module if that has not happened yet."""
    frame = t.program.pending.pop(address, None)
    if frame is None or not t.program.is_worth_executing(frame.source):
        return
    module = t.program.parsed.lowered(frame.source)
    if module is not None:
        with t.heap.independently(), t.component(RunningLoops).importing(t.heap.address):
            _execute(t, module, frame)


def _execute(t: Tracer, module: ir.Module, frame: Frame) -> None:
    """Execute the body of a module in a state of its own."""
    t.frames[frame.address] = frame
    t.heap.set((frame.address, "__name__"), Const(frame.name))
    t.heap.set((frame.address, "__file__"), Const(frame.source.filename))
    t.heap.set((frame.address, "__doc__"), NONE if module.docstring is None else Const(module.docstring))
    before = t.target, t.tolerance, t.call_stack, t.path, t.stage, t.place, t.step, t.is_standalone
    guards_at_call, fuel, is_on_demand = t.call_stack.guards_at_call, t.budget.fuel, t.is_standalone
    if is_on_demand:  # the function that reads it first does not pay
        t.budget.fuel = max(fuel, MODULE_FUEL)
    t.target, t.tolerance, t.is_standalone = t.program.target_of(frame.source), 0, False
    t.call_stack, t.path, t.stage = CallStack(guards_at_call=guards_at_call), PathState(), EAGER
    try:
        execute_top_level(t, module.body, frame)
    except OutOfFuel:
        if not is_on_demand:
            raise
    finally:
        if is_on_demand:
            t.budget.fuel = t.budget.news = fuel
        t.target, t.tolerance, t.call_stack, t.path, t.stage, t.place, t.step, t.is_standalone = before


def execute_top_level(t: Tracer, body: Sequence[ir.Stmt], frame: Frame) -> None:
    """Execute the statements of a module, or of its `__main__` block, and record where they end early."""
    endings = t.component(Endings)
    try:
        is_alive = all(_is_passed(t, statement, frame) for statement in body)
    except (OutOfFuel, RecursionError):
        endings.note(OUT_OF_BUDGET)
        endings.close(t.place, body)
        raise
    if not is_alive:
        endings.close(t.place, body)


def _is_passed(t: Tracer, statement: ir.Stmt, frame: Frame) -> bool:
    """Execute a statement; return whether control reaches its end."""
    is_alive = t.execute((statement,), frame)
    if t.at_rest is not None:
        t.at_rest()
    return is_alive


def is_deferred(t: Tracer, node: ir.If, frame: Frame) -> bool:
    """Return whether a statement is `if __name__ == "__main__":`, which runs when the file itself is checked."""
    test = node.test
    if frame.kind != "module" or not isinstance(test, ir.Compare) or not isinstance(test.left, ir.Name):
        return False
    if test.left.id != "__name__" or test.ops != ("==",):
        return False
    t.program.guarded.append((node, frame))
    return True


# --- attributes ------------------------------------------------------------------------------------------------------


def module_attribute(t: Tracer, address: int, name: str) -> Value:
    """Return a variable of a module, or a module of a package."""
    ensure_executed(t, address)
    value = t.heap.get((address, name))
    if value is not None:
        return imported(t, (address, name), value)
    found = submodule(t, address, name)
    return t.lost("unknown attribute of a module") if found is None else found


def written_class(t: Tracer, name: str) -> Value:
    """Return a class of Python's library from the module that describes it."""
    module = load(t, WRITTEN / "_collections.py", "collections")
    return module_attribute(t, module.address, name) if isinstance(module, ModuleValue) else module


def import_name(t: Tracer, module: ModuleValue, name: str) -> Value:
    """Return what `from module import name` binds: what the name stands for now, or where to look once it is read."""
    value = None if module.address in t.program.pending else t.heap.get((module.address, name))
    return BoundLibraryMethod(module, name) if value is None else value


def imported(t: Tracer, cell: Cell, value: Value) -> Value:
    """Return the value of a variable; a name imported from a module of the program is looked up on the first read.

    The value is the same on all paths, whichever reads it first, unless it is not known yet.
    """
    if not _is_name(value) and not (isinstance(value, Choice) and any(_is_name(option) for _, option in value.options)):
        return value
    found = _looked_up(t, value)
    options = [option for _, option in found.options] if isinstance(found, Choice) else [found]
    if any(isinstance(option, Lost) for option in options):
        t.heap.set(cell, found)
    else:
        t.heap.settle(cell, found)
    return found


def _is_name(value: Value) -> bool:
    """Return whether a value is an imported name that has not been looked up yet."""
    return isinstance(value, BoundLibraryMethod) and isinstance(value.owner, ModuleValue)


def _looked_up(t: Tracer, value: Value) -> Value:
    """Return the value of an imported name in its module, or of each alternative."""
    if isinstance(value, Choice):
        return t.join([(guard, _looked_up(t, option)) for guard, option in value.options])
    if not isinstance(value, BoundLibraryMethod) or not isinstance(value.owner, ModuleValue):
        return value
    wanted = (value.owner.address, value.name)
    importing = t.program.importing
    if len(importing) > MAX_IMPORTS or wanted in importing:
        return submodule(t, *wanted) or t.lost("circular import")
    importing.append(wanted)
    found = module_attribute(t, *wanted)
    importing.pop()
    return found


def submodule(t: Tracer, address: int, name: str) -> Value | None:
    """Return a module of a package that is read as its attribute."""
    path = t.program.paths.get(address)
    if path is None or path.name != "__init__.py":
        return _starred(t, address, name)
    return _module(t, name, find_relative_module(t.program.files, name, path.parent)) or _starred(t, address, name)


# --- imports ---------------------------------------------------------------------------------------------------------


def import_module(t: Tracer, dotted: str, frame: Frame) -> Value:
    """`import dotted`."""
    root = dotted.split(".")[0]
    if is_library(root) and is_itself(canonical(root).split(".")[0]):
        return Library(canonical(dotted))
    program = t.program
    path = find_module(program.files, dotted, program.folder_of(frame), program.root)
    is_only_a_folder = path is not None and not path.suffix and is_library(root)  # as a clone called `scipy` may be
    found = None if is_only_a_folder else _module(t, dotted, path)
    if found is not None:
        return found
    if is_library(root) or root in DECLARING:
        return Library(canonical(dotted))
    found = _module(t, dotted, find_relative_module(program.files, dotted, WRITTEN))
    if found is not None:
        return found
    program.unresolved_imports += 1
    return Lost(f"import of {root}")


def import_from(t: Tracer, dotted: str, level: int, frame: Frame) -> Value:
    """Return the module that `from …dotted import` names."""
    if level == 0:
        return import_module(t, dotted, frame)
    folder = t.program.folder_of(frame)
    for _ in range(level - 1):
        folder = folder.parent
    if not dotted:
        package = folder / "__init__.py"
        return load(t, package, folder.name) if t.program.files.is_there(package) else _namespace(t, folder)
    found = _module(t, dotted, find_relative_module(t.program.files, dotted, folder))
    if found is None:
        t.program.unresolved_imports += 1
        return Lost("unresolved relative import")
    return found


def import_star(t: Tracer, module: Value, frame: Frame) -> None:
    """`from module import *`."""
    stars = t.program.stars
    if isinstance(module, Library):
        stars.setdefault(frame.module, []).append(module.name)
        if not is_itself(module.name.split(".")[0]):
            t.program.open_modules.add(frame.module)
    elif isinstance(module, ModuleValue):
        ensure_executed(t, module.address)
        exported = t.heap.get((module.address, "__all__"))
        frozen = None if exported is None else t.freeze(exported)
        names = {i.value for i in frozen.items if isinstance(i, Const)} if isinstance(frozen, Seq) else None
        for name, value in t.heap.at(module.address):
            if isinstance(name, str) and (name in names if names is not None else not name.startswith("_")):
                t.heap.set((frame.address, name), value)
        stars.setdefault(frame.module, []).extend(stars.get(module.address, []))
        t.program.open_modules.add(frame.module)
    else:
        t.program.open_modules.add(frame.module)
        t.program.unresolved_imports += 1


def unbound_name(t: Tracer, name: str, frame: Frame) -> Value | None:
    """Return the value of a name that is not bound: from a star import, or by convention."""
    found = _starred(t, frame.module, name)
    if found is not None:
        return found
    return conventional(name, frame.source, is_open=frame.module in t.program.open_modules)


def _module(t: Tracer, dotted: str, path: Path | None) -> Value | None:
    """Return the module of a file or a folder."""
    if path is None:
        return None
    return load(t, path, dotted.split(".")[-1]) if path.suffix else _namespace(t, path)


def _namespace(t: Tracer, folder: Path) -> Value:
    """Return the package of a folder without `__init__.py`."""
    program = t.program
    key = program.files.real(folder)
    found = program.loaded.get(key)
    if found is None:
        found = ModuleValue(t.heap.address(), folder.name)
        program.loaded[key] = found
        program.paths[found.address] = folder / "__init__.py"
    return found


def _starred(t: Tracer, module: int, name: str) -> Value | None:
    """Return a name from a library of which a module has imported all names."""
    for library in t.program.stars.get(module, ()):
        full = canonical(f"{library}.{name}")
        value = constant(full)
        if value is not None:
            return value
        if lookup(full) is not None or is_namespace(full):
            return Library(full)
    return None
