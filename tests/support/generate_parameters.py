"""Writes parameters.txt of the packs that have an environment of their own: what functions, classes and their methods
accept in any version.

The present version is asked for its signatures, and whether it refuses an unknown keyword. What other versions accept
as well is in older_parameters.json beside this file. It is read from files of these versions, which are in a folder, by
`python -m tests.support.generate_parameters read FOLDER` (a wheel of a version is what `pip download --no-deps` gives).
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tests.support import generated, torch_signatures
from tests.support.child import Child, serve
from tests.support.generate_public_names import OF_PACKS, documented
from tests.support.generate_signatures import of_pack, resolve
from tests.support.parameter_lists import (
    KEYWORD,
    MANY,
    PLAIN,
    List,
    Listed,
    common,
    is_open,
    of_signature,
    parse,
    without_first,
)
from tests.support.written_parameters import Library, read

if TYPE_CHECKING:
    from tests.support.environments import Environment

OLDER = Path(__file__).with_name("older_parameters.json")
MORE = {
    "shapecheck.models.torch": (
        *("torch.optim.lr_scheduler", "torch.nn.utils", "torch.nn.utils.rnn", "torch.autograd", "torch.cuda"),
        *("torchvision.transforms", "torchvision.transforms.functional", "torchvision.datasets", "torchvision.ops"),
    ),
    "shapecheck.models.jax": (
        *("flax.training.train_state", "flax.training.checkpoints", "flax.linen.initializers", "flax.nnx.initializers"),
        *("haiku", "haiku.nets", "haiku.initializers", "equinox", "equinox.nn", "optax.schedules", "jax.image"),
        *("jax.scipy.stats", "jax.experimental"),
    ),
}
UNKNOWN = "an_unknown_keyword"
SPELLINGS = {"dim": ("axis",), "keepdim": ("keepdims",), "input": ("x", "a", "x1"), "other": ("x2",)}
"""Other names of parameters that the compiled functions of PyTorch take."""
UNIMPLEMENTED = "_forward_unimplemented"
"""What stands for `forward` in classes of PyTorch that are called only if a derived class has one."""
COMPILED = {"builtin_function_or_method", "method_descriptor", "wrapper_descriptor"}


def known(name: str) -> list[List] | None:
    """Return the lists that the present version has for a name; None if it may accept anything."""
    found = _called(name) if name.endswith(".__call__") else resolve(name)
    if found is None or not callable(found) or isinstance(found, ModuleType):
        return None
    root = name.partition(".")[0]
    if root == "torch" and type(found).__name__ in COMPILED:
        return _compiled(name, found)
    if not name.endswith(".__call__") and not _refuses(found):
        return None
    lists = [one for one in _lists(name, found) if one is not None]
    return None if not lists or any(map(is_open, lists)) else lists


def _called(name: str) -> Any:
    cls = resolve(name.removesuffix(".__call__"))
    method = "forward" if name.startswith("torch.") else "__call__"
    found = getattr(cls, method, None) if inspect.isclass(cls) else None
    return None if getattr(found, "__name__", "") == UNIMPLEMENTED else found


def _refuses(found: Any) -> bool:
    try:
        found(**{UNKNOWN: 1})
    except TypeError as error:
        return UNKNOWN in str(error)
    except BaseException:
        return False
    return False


def _lists(name: str, found: Any) -> Iterator[List | None]:
    is_method = inspect.isclass(resolve(name.rpartition(".")[0])) and not _is_static(name)
    if inspect.isclass(found) and type(found).__call__ is not type.__call__:
        found, is_method = found.__init__, True
    try:
        told = of_signature(inspect.signature(found))
    except (TypeError, ValueError):
        return
    if is_open(told) and name.startswith("torch."):
        yield from _written().closed(name)
        return
    yield without_first([told])[0] if is_method else told


def _is_static(name: str) -> bool:
    owner, _, last = name.rpartition(".")
    return isinstance(inspect.getattr_static(resolve(owner), last, None), (staticmethod, classmethod))


def _compiled(name: str, found: Any) -> list[List] | None:
    """Return the lists of a compiled function or method: those of the files with its types, or of its documentation."""
    lists = _written().closed(name) or _schemas(found.__name__)
    names = torch_signatures.parameters(found, name)
    if not lists and names is None:
        return None
    if names is not None:
        own = names[1:] if name.startswith("torch.Tensor.") else names
        lists.append(tuple(Listed(each, KEYWORD, False) for each in own))
    spelled = {other: each for each, others in SPELLINGS.items() for other in others}
    there = {each.name for one in lists for each in one}
    more = [Listed(other, KEYWORD, False) for other, each in spelled.items() if each in there]
    longest = max((each for each in lists), key=lambda one: sum(each.kind == PLAIN for each in one), default=())
    plain = tuple(each for each in longest if each.kind == PLAIN)  # and there are old forms, which nothing tells
    return [*lists, tuple(more), (*plain, Listed("args", MANY))]


def _schemas(name: str) -> list[List]:
    """Return the lists of an operator of PyTorch, with what Python calls its operands."""
    import torch

    found = torch._C._jit_get_schemas_for_operator(f"aten::{name}")
    return [(*map(_argument, each.arguments), Listed("out", KEYWORD, False)) for each in found]


def _argument(each: Any) -> Listed:
    name = "input" if each.name == "self" else each.name
    return Listed(name, KEYWORD if each.kwarg_only else PLAIN, not each.has_default_value() and not each.kwarg_only)


@cache
def _written() -> Library:
    import torch

    return read(Path(torch.__file__).parent)


def public(namespaces: list[str]) -> Iterator[str]:
    """Return the public names of namespaces, and the calls of the objects of classes."""
    for namespace in namespaces:
        owner = resolve(namespace)
        for name in documented(namespace) if owner is not None else ():
            yield f"{namespace}.{name}"
            if inspect.isclass(getattr(owner, name)):
                yield f"{namespace}.{name}.__call__"


def answer(request: dict[str, list[str]]) -> dict[str, Any]:
    """Return the lists of names and of the public names of namespaces."""
    names = sorted({*request["names"], *public(request["namespaces"])})
    return {name: lists for name in names for lists in [_safely(name)] if lists}


def _safely(name: str) -> list[Any] | None:
    try:
        lists = known(name)
    except Exception:
        return None
    return lists and [[(each.name, each.kind, each.is_required) for each in one] for one in lists]


def asked(environment: Environment) -> dict[str, list[List]]:
    """Return the lists of the library of a pack, as it is installed in its environment, by canonical name."""
    from shapecheck.models.lang.names import canonical
    from shapecheck.models.lang.packs import package_of
    from shapecheck.models.lang.registry import REGISTRY, load

    package = environment.package
    load(package)
    names = [name for name in REGISTRY if package_of(name) == package]
    child = Child("tests.support.generate_parameters", "child", python=environment.python)
    told = child.ask({"names": names, "namespaces": [*OF_PACKS[package], *MORE[package]]})
    child.stop()
    found: dict[str, list[List]] = {}
    for name, lists in told.items():
        found.setdefault(canonical(name), []).extend(tuple(Listed(*each) for each in one) for one in lists)
    return found


def kept() -> dict[str, str]:
    """Return what other versions accept, as far as the present ones do not, by name."""
    return json.loads(OLDER.read_text(encoding="utf-8")) if OLDER.is_file() else {}


def of_packs() -> dict[Path, str]:
    """Return the tables of the packs whose environment is there."""
    from tests.support import parameter_texts
    from tests.support.environments import PACKS

    made = {}
    for environment in filter(lambda each: each.is_there, PACKS):
        others = kept()
        lists = {
            name: common([*found, *([parse(others[name])] if name in others else [])])
            for name, found in sorted(asked(environment).items())
        }
        made[parameter_texts.place(environment.package)] = parameter_texts.text(lists, of_pack(environment))
    return made


def of_files(folder: Path) -> dict[Path, str]:
    """Return the table of what the versions in a folder accept."""
    from tests.support.environments import PACKS

    found: dict[str, list[List]] = {}
    present = {name: lists for environment in PACKS for name, lists in asked(environment).items()}
    for place in sorted(each for each in folder.rglob("*") if each.suffix in (".whl", ".gz")):
        library = read(place)
        for name in present:
            found.setdefault(name, []).extend(library.closed(name))
    older = {name: common(lists) for name, lists in sorted(found.items()) if lists}
    differing = {name: told for name, told in older.items() if _adds(present[name], told)}
    return {OLDER: text(differing)}


def _adds(lists: list[List], told: str) -> bool:
    return common([*lists, parse(told)]) != common(lists)


def text(lists: dict[str, str]) -> str:
    return json.dumps(lists, indent=0) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["child"]:
        serve(answer)
    else:
        generated.main((lambda: of_files(Path(sys.argv[2]))) if sys.argv[1:2] == ["read"] else of_packs)
