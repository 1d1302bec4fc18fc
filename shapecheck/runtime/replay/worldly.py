"""What a program may do in a replay of its own text: compute, without files, the network or a screen."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.models.lang.packs import replays_of

# The packages that such a program may import, besides those of packs that replays are run with.
_PURE = frozenset({
    "__future__", "abc", "collections", "contextlib", "copy", "dataclasses", "datetime", "enum", "functools",
    "itertools", "json", "keras", "logging", "math", "numbers", "numpy", "operator", "os", "random", "re", "scipy",
    "sklearn", "statistics", "string", "tensorflow", "tf_keras", "time", "types", "typing", "warnings",
})  # fmt: skip
_IMPURE_MODULES = ("os", "scipy.io", "scipy.datasets", "scipy.weave")  # parts of them are not imported one by one
_OF_OS = frozenset({"environ", "path", "sep"})

# Names of functions, methods and classes for files, the network, other processes, a person, and other code.
_WORLDLY = re.compile(
    r"__\w+__|breakpoint|eval|exec|exit|globals|input|open|quit"
    r"|applications|Checkpoint\w*|ModelCheckpoint|TensorBoard|CSVLogger|BackupAndRestore|RemoteMonitor|\w*FileWriter"
    r"|create_file_writer|FileHandler|basicConfig"
    r"|load|load_\w+|loadtxt|save|save_\w+|savez\w*|savetxt|tofile|fromfile|fromregex|genfromtxt|memmap|dump|export"
    r"|restore|to_csv|get_file|gfile|read_file|write_file|matching_files|list_files|\w+_from_directory|saved_model"
    r"|io|joblib|fetch_\w+|clear_data_home|dump_\w+|DataSource|distutils|rundocs"
    r"|TFRecord\w*|TextLine\w*|FixedLengthRecord\w*|\w+Reader|plot_model|download\w*|urlopen|connect_to_\w+"
    r"|hub|cpp_extension|distributed|multiprocessing|TPUClusterResolver|ctypeslib|f2py|raw_ops|profiler|enable_dump_debug_info|Monitored\w+|Supervisor|Estimator"
)
_HARMLESS = frozenset({"__name__", "__init__", "__call__", "__class__", "__len__", "__getitem__", "__file__"})


def _is_pure(root: str) -> bool:
    return root in _PURE or replays_of(root) is not None


class World:
    """What the names of a program reach, of those that it does not define itself."""

    def __init__(self, module: ast.Module) -> None:
        imports = [
            (alias.asname or alias.name.partition(".")[0], root)
            for node in ast.walk(module)
            for alias, root in _imported(node)
        ]
        self._imported = frozenset(name for name, _ in imports)
        self._impure = frozenset(name for name, root in imports if not _is_pure(root))
        self._own = frozenset(_defined(module))

    def reached(self, node: ast.AST) -> str:
        """Return the first name in a piece of code by which it may reach outside; empty if there is none."""
        return next(filter(self._is_worldly, self._names(node)), "")

    def _is_worldly(self, name: str) -> bool:
        return name in self._impure or name == "os" or bool(_WORLDLY.fullmatch(name) and name not in _HARMLESS)

    def _names(self, node: ast.AST) -> Iterator[str]:
        match node:
            case ast.Attribute(value=ast.Name(id="os"), attr=attr) if attr in _OF_OS:
                return
            case ast.Attribute(attr=attr) if attr not in self._own or _root(node) in self._imported:
                yield attr
            case ast.Name(id=name) if name not in self._own:
                yield name
            case ast.Import() | ast.ImportFrom():
                yield from (alias.asname or alias.name for alias, root in _imported(node) if not _is_pure(root))
                if isinstance(node, ast.ImportFrom):
                    yield from (alias.name for alias in node.names)
        for child in ast.iter_child_nodes(node):
            yield from self._names(child)


def _imported(node: ast.AST) -> Iterator[tuple[ast.alias, str]]:
    """Yield what a statement imports, each with the package that it is of."""
    if isinstance(node, ast.Import):
        yield from ((alias, alias.name.partition(".")[0]) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = "" if node.level else node.module or ""
        is_impure = any(f"{module}.".startswith(f"{each}.") for each in _IMPURE_MODULES)
        yield from ((alias, "" if is_impure else module.partition(".")[0]) for alias in node.names)


def _defined(module: ast.Module) -> Iterator[str]:
    """Yield the names of the functions, classes, variables and parameters of a program."""
    for node in ast.walk(module):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name


def _root(node: ast.expr) -> str:
    """Return the name that attributes are taken of; empty if there is none."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
