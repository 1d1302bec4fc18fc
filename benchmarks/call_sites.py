"""The share of the calls of a library, in published repositories, whose function has a model.

`python -m benchmarks.call_sites torch --root FOLDER` expects the repositories of `call_sites.toml` under FOLDER, each
in a folder OWNER+NAME at the commit that the file names; those that do not use the library do not count.
"""

from __future__ import annotations

import argparse
import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.api import is_known
from shapecheck import toml

LIST = Path(__file__).with_name("call_sites.toml")
LIBRARIES = {"torch": ("torch",), "jax": ("jax", "flax", "optax")}
"""The packages that count as a library."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=LIBRARIES)
    parser.add_argument("--root", type=Path, required=True, help="the folder with the repositories")
    parser.add_argument("--missing", type=int, default=20, help="how many names without a model are listed")
    asked = parser.parse_args()
    listed = toml.loads(LIST.read_text(encoding="utf-8"))
    names = [repository.replace("/", "+", 1) for repository in listed["repositories"]]
    found = {name: calls for name in names if (calls := called(asked.root / name, LIBRARIES[asked.library]))}
    total = sum(found.values(), Counter[str]())
    known = {name for name in total if is_known(name)}
    modelled = sum(count for name, count in total.items() if name in known)
    print(f"{len(found)} repositories, {total.total()} calls, {100 * modelled / max(total.total(), 1):.2f} % modelled")
    for name, count in [each for each in total.most_common() if each[0] not in known][: asked.missing]:
        print(f"{count:6} {name}")


def called(repository: Path, packages: tuple[str, ...]) -> Counter[str]:
    """Count the functions of packages that the files of a repository call, by their full names."""
    counts: Counter[str] = Counter()
    for path in sorted(repository.rglob("*.py")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if not any(package in text for package in packages):
            continue
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            continue
        names = dict(_imported(tree, packages))
        found = (_name(node.func, names) for node in ast.walk(tree) if isinstance(node, ast.Call))
        counts.update(filter(None, found))
    return counts


def _imported(tree: ast.AST, packages: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield what a file calls the modules and members of packages, and their full names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                first = each.name.split(".")[0]
                if first in packages:
                    yield (each.asname, each.name) if each.asname else (first, first)
        elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] in packages:
            yield from ((each.asname or each.name, f"{node.module}.{each.name}") for each in node.names)


def _name(function: ast.expr, names: Mapping[str, str]) -> str | None:
    """Return the full name of a function of the library, or None."""
    parts: list[str] = []
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    known = names.get(function.id) if isinstance(function, ast.Name) else None
    return None if known is None else ".".join([known, *reversed(parts)])


if __name__ == "__main__":
    main()
