"""Packs: what the analysis knows of each library beside its models.

A pack is a declaration and a folder of models. The folder is a package whose modules register the models; beside them
lie tables, each of which may be absent: `names.toml` (spellings, constants, bases of classes, and traits of names),
`parameters.txt` or `signatures.json` (the real parameter lists) and `dtypes.json` (the dtypes of results). The folder
of a pack is read when a program first uses a name of its library.

Packs of other distributions declare themselves by an entry point in the group `shapecheck.packs`; they are loaded by
`external_models` if the configuration names them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

FUNCTIONAL = "jax"
"""The kind of arrays whose elements cannot be assigned, for functions that are mapped, differentiated and compiled."""
CORE = "shapecheck.models"
"""The package of TensorFlow, Keras, NumPy and what is used beside them, which share their tables."""


@dataclass(frozen=True)
class Arrays:
    """A kind of arrays, by the name that `Tensor.library` has for it.

    `cls` is the class whose methods and attributes they have, `roles` that of arrays with a role. Where arrays of
    several kinds meet, an operator is that of the kind with the highest `precedence`; a kind that has none of its own
    has that of the kind `otherwise`. `promotion` names the module with its rules of dtypes if it has its own
    (`dtypes.Promotion`). `traced` is what the library calls an array that has no value while a function is traced, and
    `advice` is what to do where Python needs one, by kind of clash. Those that are `numbers_if_single` are numbers to
    Python if they have one element, along any number of axes. A library that is `strict` takes no sequence of arrays in
    place of one. Those that are `kept_by_numpy` have `__array_wrap__`: many functions of NumPy give their kind for
    them.
    Methods whose names end with `in_place` change their operand and return it. An array that is given for a result has
    its shape afterwards if the library `resizes` it.
    Arrays of the dtypes `masks` select what they index, rather than give places.
    `numbers_as_rows` finds in a program that it is for old versions, in which a number was an array with one axis.
    """

    name: str
    cls: str
    roles: Mapping[str, str] = field(default_factory=dict)
    precedence: int = 0
    otherwise: str = ""
    promotion: str = ""
    traced: str = "symbolic tensor"
    advice: Mapping[str, str] = field(default_factory=dict)
    numbers_if_single: bool = False
    strict: bool = False
    kept_by_numpy: bool = False
    masks: tuple[str, ...] = ("bool",)
    in_place: str = ""
    resizes: bool = False
    numbers_as_rows: re.Pattern[str] | None = None


@dataclass(frozen=True)
class Replays:
    """How replays write a library: the `module` to import, functions that make arrays of `zeros` for given sizes and of
    numbers that are `written`, and the module with the `dtypes`. `symptoms` are the words of its errors, by kind of
    clash, where arrays have no values.
    """

    module: str
    zeros: str
    written: str
    dtypes: str
    symptoms: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Pack:
    """A library: `roots` are the first parts of its canonical names, `imports` the top-level modules that programs
    import, and `arrays` what its functions give, unless their models say otherwise. `replays` is None for a library
    that is not run to confirm findings.

    A library that `is_itself` is meant wherever a program imports it, even where a module beside the program has the
    same name.
    """

    title: str
    roots: tuple[str, ...]
    imports: tuple[str, ...]
    arrays: Arrays | None = None
    package: str = CORE
    is_itself: bool = False
    replays: Replays | None = None

    @property
    def is_core(self) -> bool:
        """Return whether its models and tables are those of the common folder."""
        return self.package == CORE


NUMPY_ARRAYS = Arrays("np", "np.ndarray", {"matrix": "np.matrix"})
KERAS_TENSORS = Arrays("keras", "keras.KerasTensor", precedence=2, otherwise="tf")
TENSORS = Arrays(
    "tf",
    "tf.Tensor",
    {"variable": "tf.Variable", "sparse": "tf.SparseTensor", "ragged": "tf.RaggedTensor"},
    precedence=3,
    advice={"immutable": "tf.tensor_scatter_nd_update returns a changed tensor, and parts of a variable have `assign`"},
)

JAX_ARRAYS = Arrays(
    "jax",
    "jax.Array",
    precedence=1,
    promotion="shapecheck.models.jax.promotion",
    traced="traced array",
    advice={
        "immutable": "use x.at[index].set(value), which returns a new array",
        "symbolic-bool": "use jnp.where, jax.lax.cond or jax.lax.while_loop, or make the argument static",
        "symbolic-python": "compute with jax.numpy, make the argument static, or return the array",
        "symbolic-numpy": "use the function of jax.numpy instead",
        "leaked-symbolic": "return the array from the function",
    },
)
TORCH_TENSORS = Arrays(
    "torch",
    "torch.Tensor",
    precedence=1,
    promotion="shapecheck.models.torch.promotion",
    numbers_if_single=True,
    strict=True,
    kept_by_numpy=True,
    masks=("bool", "uint8"),
    in_place="_",
    resizes=True,
    numbers_as_rows=re.compile(r"\bautograd\b[^\n]*\bVariable\b|\bvolatile *=|\.data\[0\]|\basync *= *True"),
)

JAX_SYMPTOMS = {
    "branches": r"must have (equal|same|identical) types|branch",
    "leaked-symbolic": r"[Uu]nexpected tracer|[Ll]eaked|escaped",
    "loop-shape": r"carry|must have (equal|same|identical) types|must be a pair",
    "loop-type": r"must have equal types|match the corresponding input types",
    "signature": r"required positional argument|needs PRNG|is immutable|must be called with|required signature",
    "symbolic-bool": r"boolean conversion of traced array|bool",
    "symbolic-numpy": r"__array__\(\) was called on traced",
    "symbolic-python": r"traced array|[Tt]racer|concrete|unhashable|static start|as an abstract array",
    "unpack": r"must (produce|return) a pair|too many values|not enough values",
}
OF_GRAPHS = TENSORS.name
"""The kind of arrays of functions that are traced into graphs, in which Python's statements are converted."""

BUILT_IN = (
    Pack("TensorFlow", ("tf", "tfp"), ("tensorflow", "tensorflow_probability", "tf_slim"), TENSORS, is_itself=True),
    Pack("Keras", ("keras",), ("keras", "tf_keras"), KERAS_TENSORS, is_itself=True),
    Pack("NumPy", ("np",), ("numpy",), NUMPY_ARRAYS, is_itself=True),
    Pack("SciPy", ("scipy",), ("scipy",), NUMPY_ARRAYS),
    Pack("scikit-learn", ("sklearn",), ("sklearn",), NUMPY_ARRAYS),
    Pack("pandas", ("pandas",), ("pandas",), NUMPY_ARRAYS),
    Pack(
        "JAX",
        ("jax", "flax", "optax", "haiku", "equinox"),
        ("jax", "flax", "optax", "haiku", "equinox"),
        JAX_ARRAYS,
        package="shapecheck.models.jax",
        is_itself=True,
        replays=Replays("jax", "jax.numpy.zeros", "jax.numpy.array", "jax.numpy", JAX_SYMPTOMS),
    ),
    Pack(
        "PyTorch",
        ("torch", "torchvision", "lightning"),
        ("torch", "torchvision", "lightning", "pytorch_lightning"),
        TORCH_TENSORS,
        package="shapecheck.models.torch",
        is_itself=True,
        replays=Replays("torch", "torch.zeros", "torch.tensor", "torch"),
    ),
    Pack("shapecheck", ("shapecheck",), ("shapecheck",), is_itself=True),
)
_by_root: dict[str, Pack] = {}
_by_import: dict[str, Pack] = {}
_arrays: dict[str, Arrays] = {}


def enter(packs: Iterable[Pack]) -> None:
    """Make packs known; raise ValueError for one that claims a name of another."""
    for pack in packs:
        taken = [root for root in pack.roots if _by_root.get(root, pack) != pack]
        taken += [module for module in pack.imports if _by_import.get(module, pack) != pack]
        if taken:
            raise ValueError(f"{taken[0]} is of {(_by_root.get(taken[0]) or _by_import[taken[0]]).title} already")
        _by_root.update(dict.fromkeys(pack.roots, pack))
        _by_import.update(dict.fromkeys(pack.imports, pack))
        if pack.arrays is not None:
            _arrays[pack.arrays.name] = pack.arrays


enter(BUILT_IN)


def pack_of(name: str) -> Pack | None:
    """Return the pack of a canonical name, or of a path that a program imports."""
    root = name.partition(".")[0]
    return _by_root.get(root) or _by_import.get(root)


def imports_of(name: str) -> tuple[str, ...]:
    """Return the top-level modules of the library of a canonical name."""
    pack = pack_of(name)
    return () if pack is None else pack.imports


def package_of(name: str) -> str:
    """Return the package with the model of a name, and with the tables that tell of it."""
    pack = pack_of(name)
    return CORE if pack is None else pack.package


def packages() -> tuple[str, ...]:
    """Return the packages with models, that of the core first."""
    return tuple(dict.fromkeys((CORE, *(pack.package for pack in _by_root.values()))))


def is_pack(root: str) -> bool:
    """Return whether a top-level module is that of a pack with a folder of its own."""
    pack = _by_import.get(root)
    return pack is not None and not pack.is_core


def is_itself(root: str) -> bool:
    """Return whether the first part of a canonical name is a library that no module of a program hides."""
    pack = _by_root.get(root)
    return pack is not None and pack.is_itself


def arrays(kind: str) -> Arrays:
    """Return what is known of a kind of arrays."""
    return _arrays[kind]


def replays_of(name: str) -> Replays | None:
    """Return how replays write the library of a name, of a module or of a kind of arrays; None for one of the core."""
    pack = pack_of(name)
    return None if pack is None else pack.replays


def classes_of_arrays() -> frozenset[str]:
    """Return the classes of all kinds of arrays."""
    return frozenset(cls for kind in _arrays.values() for cls in (kind.cls, *kind.roles.values()))


def foremost(kinds: Iterable[str]) -> str | None:
    """Return the kind of arrays whose operator applies; None without any."""
    return max(kinds, key=lambda kind: _arrays[kind].precedence, default=None)


def made_by(name: str) -> str | None:
    """Return the kind of arrays that a function of a library gives; None if the name is of no library known here."""
    pack = pack_of(name)
    return None if pack is None or pack.arrays is None else pack.arrays.name
