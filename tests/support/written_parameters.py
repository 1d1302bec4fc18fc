"""The parameter lists that are written in the files of a library, of any version: of a folder, a wheel or an archive.

Nothing is imported. What has the same name somewhere else in the same part of the library is taken for another version
of it, so that too much is accepted rather than too little.
"""

from __future__ import annotations

import ast
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.parameter_lists import KEYWORD, MANY, NAMED, PLAIN, List, Listed, is_open, passes_on, without_first

Found = ast.FunctionDef | ast.ClassDef
PARTS = {  # where the files are that define what is below a name: of the longest such name, the first that have it
    "torch": ("torch/*", "torch/_C/", "torch/autograd/"),
    "torch.Tensor": ("torch/*", "torch/_C/"),
    "torch.nn": ("torch/nn/modules/", "torch/nn/*"),
    "torch.nn.functional": ("torch/nn/*", "torch/functional", "torch/_C/"),
    "torch.nn.utils": ("torch/nn/utils/",),
    "torch.optim": ("torch/optim/",),
    "torch.utils": ("torch/utils/",),
    "torch.distributions": ("torch/distributions/",),
    "torch.linalg": ("torch/linalg/",),
    "torch.fft": ("torch/fft/",),
    "torch.special": ("torch/special/",),
    "torch.autograd": ("torch/autograd/",),
    "torchvision": ("torchvision/",),
    "lightning": ("pytorch_lightning/", "lightning/"),
    "jax": ("jax/",),
    "flax": ("flax/",),
    "flax.linen": ("flax/linen/", "flax/core/"),
    "flax.nnx": ("flax/nnx/", "flax/experimental/nnx/"),
    "optax": ("optax/",),
    "haiku": ("haiku/",),
    "equinox": ("equinox/",),
}
OTHERS = ("test", "experimental/pallas", "jax2tf", "_inductor", "quantized", "qat", "intrinsic")


@dataclass
class Library:
    """The definitions of a library by name."""

    found: dict[str, list[tuple[str, Found]]] = field(default_factory=dict)

    def lists(self, name: str) -> list[List]:
        """Return the parameter lists of what may be an object of a canonical name."""
        owner, _, last = name.rpartition(".")
        if owner.rpartition(".")[2][:1].isupper():
            wanted = ("forward", "__call__") if last == "__call__" else (last,)
            classes = [cls for cls in self.among(owner) if isinstance(cls, ast.ClassDef)]
            return [each for cls in classes for each in self._methods(owner, cls, wanted)]
        return [each for made in self.among(name) for each in self._of(name, made)]

    def closed(self, name: str) -> list[List]:
        """Return the lists that tell what is accepted: a class passes on other options to its bases, which are among
        them.
        """
        lists = [one for one in self.lists(name) if not is_open(one) or len(one) > 2]
        is_class = name.rpartition(".")[2][:1].isupper()
        return [tuple(each for each in one if each.kind != NAMED) for one in lists] if is_class else lists

    def among(self, name: str) -> list[Found]:
        """Return what has the last name of a canonical name, and is in the same part."""
        part = max((part for part in PARTS if f"{name}.".startswith(f"{part}.")), key=len)
        last = name.rpartition(".")[2]
        named = (last, "_TensorBase", "TensorBase") if name == "torch.Tensor" else (last,)
        there = [found for each in named for found in self.found.get(each, ())]
        return next(filter(None, ([made for path, made in there if _is_in(path, place)] for place in PARTS[part])), [])

    def _of(self, name: str, made: Found) -> list[List]:
        if isinstance(made, ast.FunctionDef):
            return [list_of(made)]
        known = [each for each in self._methods(name, made, ("__init__", "__new__")) if not is_open(each)]
        return known or self._fields(name, made)

    def _methods(self, name: str, cls: ast.ClassDef, wanted: tuple[str, ...], depth: int = 5) -> list[List]:
        found = [each for each in body_of(cls) if isinstance(each, ast.FunctionDef) and each.name in wanted]
        own = [list_of(each) if _is_static(each) else without_first([list_of(each)])[0] for each in found]
        if not depth or (own and not any(map(passes_on, own))):
            return own
        bases = [base for parent in _bases(cls) for base in self.among(_beside(name, parent))]
        classes = [base for base in bases if isinstance(base, ast.ClassDef) and base is not cls]
        inherited = [each for base in classes for each in self._methods(name, base, wanted, depth - 1)]
        return [_with_options(one, inherited) if passes_on(one) else one for one in own] or inherited

    def _fields(self, name: str, cls: ast.ClassDef, depth: int = 5) -> list[List]:
        """Return the list of the fields of a data class, after those of its bases."""
        own = [
            Listed(each.target.id, PLAIN, each.value is None)
            for each in body_of(cls)
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        ]
        parents = [parent for parent in _bases(cls) if parent != "Module"] if depth else []
        bases = [base for parent in parents for base in self.among(_beside(name, parent))]
        classes = [base for base in bases if isinstance(base, ast.ClassDef) and base is not cls]
        before = [one for base in classes for one in self._fields(name, base, depth - 1)] or [()]
        return [(*one, *own) for one in before if one or own]


def _with_options(one: List, inherited: list[List]) -> List:
    """Return a list with the options to which the rest is passed on."""
    own = {each.name for each in one}
    names = dict.fromkeys(each.name for other in inherited for each in other if each.kind in (PLAIN, KEYWORD))
    return (*one[:-1], *(Listed(name, KEYWORD, False) for name in names if name not in own), one[-1])


def _beside(name: str, base: str) -> str:
    return f"{name.rpartition('.')[0]}.{base}"


def _is_in(path: str, place: str) -> bool:
    if place.endswith("*"):
        return path.startswith(place[:-1]) and "/" not in path[len(place) - 1 :]
    return path.startswith(place)


def _bases(cls: ast.ClassDef) -> Iterator[str]:
    for base in cls.bases:
        if isinstance(base, (ast.Name, ast.Attribute)):
            yield base.id if isinstance(base, ast.Name) else base.attr


def _is_static(function: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in function.decorator_list)


def body_of(node: ast.AST) -> Iterator[ast.stmt]:
    """Return the statements of a class or module, also those under a condition."""
    for each in getattr(node, "body", ()):
        yield each
        if isinstance(each, (ast.If, ast.Try, ast.With)):
            yield from body_of(each)
            yield from body_of(ast.Module(getattr(each, "orelse", []), []))


def list_of(function: ast.FunctionDef) -> List:
    """Return the parameters of a function."""
    args = function.args
    plain = [*args.posonlyargs, *args.args]
    without = len(plain) - len(args.defaults)
    found = [Listed(each.arg, PLAIN, at < without) for at, each in enumerate(plain)]
    found += [Listed(args.vararg.arg, MANY)] if args.vararg else []
    found += [
        Listed(each.arg, KEYWORD, default is None)
        for each, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)
    ]
    return (*found, Listed(args.kwarg.arg, NAMED)) if args.kwarg else tuple(found)


def read(place: Path) -> Library:
    """Return the definitions in the files of a library."""
    library = Library()
    for path, text in _files(place):
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        for each in body_of(tree):
            if isinstance(each, (ast.FunctionDef, ast.ClassDef)):
                library.found.setdefault(each.name, []).append((path, each))
    return library


def _files(place: Path) -> Iterator[tuple[str, bytes]]:
    """Return the paths of Python files below the folder of packages, and their texts."""
    if place.is_dir():
        for file in place.rglob("*.py*"):
            if _is_wanted(path := file.relative_to(place.parent).as_posix()):
                yield path, file.read_bytes()
    elif place.suffix == ".whl":
        with zipfile.ZipFile(place) as archive:
            for path in filter(_is_wanted, archive.namelist()):
                yield path, archive.read(path)
    else:
        with tarfile.open(place) as packed:
            for member in packed.getmembers():
                path = member.name.partition("/")[2]
                if member.isfile() and _is_wanted(path) and (opened := packed.extractfile(member)):
                    yield path, opened.read()


def _is_wanted(path: str) -> bool:
    is_code = path.endswith((".py", ".pyi")) and any(
        _is_in(path, place) for places in PARTS.values() for place in places
    )
    return is_code and not any(word in path for word in OTHERS)
