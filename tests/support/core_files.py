"""Reads the files of a version of TensorFlow, Keras, NumPy or SciPy: a folder, a wheel or an archive.

Nothing is imported.
"""

from __future__ import annotations

import ast
import re
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from shapecheck.models.lang.names import canonical
from tests.support.core_definitions import PARTS, Definitions, Kind, Made
from tests.support.documented_lists import documented
from tests.support.parameter_lists import PLAIN, Listed, is_open
from tests.support.passed_keywords import Functions, last, rest_of, words
from tests.support.written_parameters import body_of, list_of

LEFT_OUT = re.compile(
    r"(^|/|_)tests?(/|_|\.)|(^|/)(testing|tools|autograph|tpu|lite|compiler|benchmarks|f2py|_pyinstaller)/|"
    r"/eager/memory|conftest|array_api"
)
BEFORE = re.compile(r"^(\./)?(p/|[\w.-]+-[\d.]+/)?(?:tensorflow(_cpu)?-[\d.]+\.data/(?:purelib|platlib)/)?")
OLD_PLACE = re.compile(r"^tensorflow_core/")
CONTRIBUTED = re.compile(r"tensorflow/contrib/(keras|rnn|data|legacy|grid_rnn)")
HARMLESS = re.compile(
    r"export|^(doc_controls|deprecation|traceback_utils|np_utils)$|dispatch|deprecat|legacy_|no_automatic|"
    r"filter_traceback|doc|staticmethod|classmethod|contextmanager|set_module|overload|abstract|shape_safe|override|"
    r"implements|default$|keras_modules_injection|wraps|api|rename|shape_type_conversion|inject_mesh|sparse\.|"
    r"should_use|AppendDocstring|initializer_layout|errstate|^(tf\.|def_)?function(\.function)?$|trace|symbolic|"
    r"no_grad|tag_zeros|lru_cache|dynamo|K\.eager|track_tf1|normalize_conv|disable_tracking|lazy_cython|synchronized|"
    r"non_reentrant|held_figure|capabilities|_apply_over_batch|_transition_to_rng|deco|singleton|finalize_array|"
    r"inherit|register|Register|final$"
)
"""Decorators that leave the parameters as they are, or that mention those that they add."""
NO_PARAMETERS = frozenset(
    "array class default one tf th same valid full cpu gpu mem imagenet auto causal channels_first channels_last "
    "add".split()
)
"""Words beside those of keywords."""


def read(place: Path) -> Definitions:
    """Return the definitions in the files of a version."""
    found = Definitions()
    for path, text in _files(place):
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        _Module(found, path, tree).read(tree)
    for there in found.found.values():
        for each in there:
            for base in each.bases if isinstance(each, Kind) else ():
                found.heirs.setdefault(base, set()).add(each.name)
            for made in [each] if isinstance(each, Made) else [one for many in each.methods.values() for one in many]:
                more = [found.words[name] for name in made.more if name in found.words]
                made.more = frozenset().union(made.more, *more) - found.words.keys() - {made.name} - NO_PARAMETERS
    return found


class _Module:
    """A file, whose definitions are added to those of a version."""

    def __init__(self, found: Definitions, path: str, tree: ast.Module) -> None:
        self.found, self.path = found, path
        self.own: dict[str, list[Made | Kind]] = {}
        self.functions = {each.name: each for each in body_of(tree) if isinstance(each, ast.FunctionDef)}

    def read(self, tree: ast.Module) -> None:
        """Add the definitions, their other names, and the names that they are exported under."""
        for each in body_of(tree):
            if isinstance(each, (ast.FunctionDef, ast.ClassDef)):
                is_function = isinstance(each, ast.FunctionDef)
                made = _made(each, self.path, self.functions) if is_function else _kind(each, self.path)
                self.own.setdefault(each.name, []).append(made)
                self.found.found.setdefault(each.name, []).append(made)
                for name in _exports(each.decorator_list):
                    self.found.exported.setdefault(name, []).append(made)
            elif isinstance(each, (ast.Assign, ast.Expr)):
                self._read_other(each)

    def _read_other(self, node: ast.Assign | ast.Expr) -> None:
        """Read what may give a definition another name, export or document it, or make a decorator."""
        value = node.value
        targets = node.targets if isinstance(node, ast.Assign) else []
        names = [each.id for each in targets if isinstance(each, ast.Name)]
        if isinstance(value, ast.Name) and value.id in self.own:
            for name in names:
                self.found.found.setdefault(name, []).extend(self.own[value.id])
        if isinstance(value, ast.Call):
            if isinstance(value.func, ast.Call):
                self._read_export(value)
            if last(value.func) in ("add_newdoc", "refer_to_array_attribute"):
                self._read_documentation(value)
            for name in (name for name in names if name.startswith("legacy_")):
                inner = [each.id for each in ast.walk(value) if isinstance(each, ast.Name)]
                told = (value, *(self.functions[each] for each in inner if each in self.functions))
                self.found.words[name] = frozenset(word for each in told for word in words(each))

    def _read_export(self, call: ast.Call) -> None:
        """Read `export("name")(function)`; what another function has made of one takes anything."""
        thing: ast.expr = call.args[0] if call.args else call
        while isinstance(thing, ast.Call) and len(thing.args) == 1 and HARMLESS.search(ast.unparse(thing.func)):
            thing = thing.args[0]
        made = self.own.get(thing.id) if isinstance(thing, ast.Name) else None
        if made is None and not isinstance(thing, ast.Attribute):
            made = [Made(last(thing), (), self.path, is_strange=True)]
        for name in _exports([call.func]) if made is not None else ():
            self.found.exported.setdefault(name, []).extend(made or ())

    def _read_documentation(self, call: ast.Call) -> None:
        """Read the lists that the documentation of a compiled function or method begins with."""
        try:
            owner, told = (ast.literal_eval(each) for each in call.args[1:3])
        except (ValueError, SyntaxError):
            return
        pairs = [("", told)] if isinstance(told, str) else [told] if isinstance(told, tuple) else told
        for name, text in pairs:
            lists = documented(text, name or owner) if isinstance(text, str) else ()
            made = [Made(name or owner, each, self.path, takes_object=False) for each in lists]
            if name:
                self._documented_class(owner).methods.setdefault(name, []).extend(made)
            else:
                self.found.found.setdefault(owner, []).extend(made)

    def _documented_class(self, name: str) -> Kind:
        there = self.found.found.setdefault(name, [])
        known = next((each for each in there if isinstance(each, Kind) and each.path == self.path), None)
        if known is None:
            there.append(known := Kind(name, self.path, (), {}))
        return known


def _exports(decorators: Iterable[ast.expr]) -> Iterator[str]:
    """Return the canonical names under which decorators export what they decorate."""
    for each in decorators:
        if isinstance(each, ast.Call) and last(each.func).endswith("export"):
            of_version_1 = (one.value for one in each.keywords if one.arg == "v1")
            for word in (word for told in (*each.args, *of_version_1) for word in words(told)):
                if last(each.func) == "keras_export" or word.startswith("keras."):
                    yield canonical(word)
                else:
                    yield from dict.fromkeys(
                        canonical(f"{root}.{word}") for root in ("tensorflow", "tensorflow.compat.v1")
                    )


def _kind(cls: ast.ClassDef, path: str) -> Kind:
    methods: dict[str, list[Made]] = {}
    beside = {each.name: each for each in body_of(cls) if isinstance(each, ast.FunctionDef)}
    for each in body_of(cls):
        if isinstance(each, ast.FunctionDef):
            if not any(last(one) in ("property", "setter") for one in each.decorator_list):
                methods.setdefault(each.name, []).append(_made(each, path, beside))
        elif isinstance(each, ast.Assign) and isinstance(each.value, ast.Name) and each.value.id in methods:
            for target in each.targets:
                methods.setdefault(last(target), []).extend(methods[each.value.id])
    bases = [last(base) for base in cls.bases if not isinstance(base, ast.Call)]
    for base in (base for base in cls.bases if isinstance(base, ast.Call)):
        if last(base) == "namedtuple" and len(base.args) > 1 and "__new__" not in methods:
            fields = tuple(Listed(word, PLAIN, False) for word in words(base.args[1]))
            methods["__init__"] = [Made("__init__", fields, path, takes_object=False)]
        else:
            bases.append("(made)")
    is_data = any("dataclass" in last(each) or last(each) in ("s", "define", "attrs") for each in cls.decorator_list)
    is_called = any(each.arg == "metaclass" and last(each.value) == "VariableMetaclass" for each in cls.keywords)
    is_strange = is_data or is_called or "NamedTuple" in bases
    return Kind(cls.name, path, tuple(filter(None, bases)), methods, is_strange)


def _made(function: ast.FunctionDef, path: str, others: Functions) -> Made:
    decorators = [each for each in function.decorator_list if not last(each).endswith("export")]
    full = [ast.unparse(each.func if isinstance(each, ast.Call) else each) for each in decorators]
    made = Made(function.name, list_of(function), path)
    made.is_strange = not all(map(HARMLESS.search, full))
    made.takes_object = "staticmethod" not in full
    made.is_wrapper = "keras_modules_injection" in full and is_open(made.told)
    more: set[object] = {word for each in decorators for word in words(each)}
    more |= {last(each) for each in decorators if last(each).startswith("legacy_")}
    if function.args.kwarg:
        rest = rest_of(function, function.args.kwarg.arg, function.name, others)
        made.passes = rest.passes and not rest.is_loose
        made.is_closed = rest.closes and not rest.is_loose and not rest.passes
        more |= rest.words
    made.more = frozenset(word for word in more if isinstance(word, str) and word.isidentifier())
    return made


def _files(place: Path) -> Iterator[tuple[str, bytes]]:
    """Return the paths of Python files below the folder of packages, and their texts."""
    if place.suffix == ".whl":
        with zipfile.ZipFile(place) as archive:
            for name in archive.namelist():
                if _is_wanted(path := _path(name)):
                    yield path, archive.read(name)
    else:
        with tarfile.open(place) as packed:
            for member in packed.getmembers():
                if member.isfile() and _is_wanted(path := _path(member.name)):
                    opened = packed.extractfile(member)
                    yield path, opened.read() if opened else b""


def _path(name: str) -> str:
    return OLD_PLACE.sub("tensorflow/", BEFORE.sub("", name))


def _is_wanted(path: str) -> bool:
    if path.startswith("tensorflow/contrib/") and not CONTRIBUTED.match(path):
        return False
    is_code = path.endswith((".py", ".pyi")) and any(re.search(part, path) for part in PARTS.values())
    return is_code and not LEFT_OUT.search(path)
