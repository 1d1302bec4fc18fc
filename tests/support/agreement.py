"""Comparison of models with the real libraries: draws calls of a name, runs them, and compares the results.

Sizes are distinct primes with a share of 0, 1 and equal ones; of the calls that satisfy a model's signature, a share is
damaged.
"""

from __future__ import annotations

import random
import re
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from shapecheck.domain.values import Lost, Value
from shapecheck.models.lang import dtypes, names
from shapecheck.models.lang.bind import real_parameters
from shapecheck.models.lang.packs import CORE, package_of
from shapecheck.models.lang.parameter_kinds import Blind
from shapecheck.models.lang.registry import REGISTRY, Definition, Model, load
from shapecheck.models.lang.scalar_checks import WANTED
from shapecheck.shapes.claims import claim_symbols, holds
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, Symbol, fresh, symbols
from shapecheck.target import Target
from tests.support.calls import Array, Call
from tests.support.comparing import fits, is_as_precise, is_known, is_ranked, shown, wrong_dtypes
from tests.support.environments import CURRENT, Environment
from tests.support.generated import LIBRARIES, is_other_release
from tests.support.oracle import ABORTED, Oracle
from tests.support.sampling import draw
from tests.support.seed import SEED, draws
from tests.support.stub_context import StubContext

ODD = {  # what a library does only by accident: by name, and words that the disagreement has
    "keras.ops.dot_product_attention": ("einsum", "other backends let keys have fewer heads"),
    "tf.where_v2": ("rejects|model gives", "TensorFlow 1 had it under this name only"),
    "tf.nn.softmax_cross_entropy_with_logits_v2": ("aborted", "the process ends"),
    **dict.fromkeys(("keras.backend.argmin", "keras.backend.argmax"), ("complex.*aborted", "the process ends")),
    "keras.backend.bias_add": ("x1[ >]", "TensorFlow 1 stretches a single channel"),
    "tf.signal.linear_to_mel_weight_matrix": ("num > 0", "num_mel_bins is"),
    "tf.linspace": ("num > 0", "TensorFlow 1 makes no empty row"),
    "tf.nn.isotonic_regression": ("has rank 0", "a number is given back"),
    **dict.fromkeys(("tf.diag_part", "tf.linalg.tensor_diag_part"), ("non-zero rank", "a number has no diagonal")),
    "tf.image.resize_images": ("gives float16", "what has the size already is given back"),
    **dict.fromkeys(("tf.linalg.cholesky_solve", "tf.cholesky_solve"), ("equal", "TensorFlow 1 broadcasts no batches")),
    **dict.fromkeys(
        ("tf.matrix_solve_ls", "tf.linalg.lstsq", "tf.matrix_triangular_solve", "tf.linalg.triangular_solve"),
        ("must be equal", "the same"),
    ),
    "scipy.special.factorial": ("[<x]0", "an array of nothing is given back as it is"),
    "keras.ops.norm": ("names an axis of x twice", "sums over an axis twice give the same"),
    "np.diff": (r"many|, 0, axis|n=0|, 0\) without", "what it is given comes back as it is if there is nothing to do"),
    **dict.fromkeys(("np.nanpercentile", "keras.ops.nanpercentile"), ("[<x]0", "of nothing something else comes")),
    "keras.activations.relu": ("int32.*negative_slope", "whole numbers stay such only without a slope"),
    "keras.ops.corrcoef": ("scalar", "a number goes with no other"),
    **dict.fromkeys(
        ("tf.roll", "keras.ops.roll"), (r"axis=\[-?\d\].*shift and ax", "one axis in a list takes one shift in a list")
    ),
    "np.linalg.svd": ("full_matrices=<", "no flag that has no say is looked at"),
    "keras.ops.diff": ("0, axis=<", "the same"),
    **dict.fromkeys(
        ("tf.gather", "tf.linalg.eigh_tridiagonal"),
        ("(batch_dims|eigvals_only) is an array", "what has no say is not looked at"),
    ),
    "np.polyint": ("m=0|k='", "it is given back as it is"),
    "keras.ops.flip": ("reversev2", "Keras 3.12 takes a single axis"),
    "keras.ops.image.rgb_to_grayscale": ("matrix siz", "Keras 3.12 looks at channels only when run"),
    "scipy.signal.resample": (r", 0[,)]|num=0", "SciPy 1.15 makes something of nothing"),
    "keras.ops.eye": (r"eye\(0", "a diagonal outside of nothing"),
    **dict.fromkeys(("keras.ops.full_like", "keras.ops.full"), ("complex128", "there is one complex type only")),
    "scipy.ndimage.binary_fill_holes": ("output=", "nothing is given back"),
    "np.real_if_close": ("tol=", "the numbers decide"),
    "np.sinc": ("scalar float", "NumPy 1 computes numbers in float64"),
    "keras.backend.reverse": ("scalar", "Keras 2 does not look at the axes of a number"),
    **dict.fromkeys(("tf.get_static_value", "keras.activations.linear"), ("many", "a list is given back as it is")),
    **dict.fromkeys(
        ("keras.activations.softmax", "keras.backend.softmax"),
        ("out of range|1d", "Keras 2 wants two axes, of which it does not look at the one given"),
    ),
    **dict.fromkeys(
        ("tf.nn.max_pool_v2", "tf.nn.avg_pool_v2"),
        ("has rank", "TensorFlow 1 had it under this name only"),
    ),
    **dict.fromkeys(
        ("tf.matmul", "tf.linalg.matmul"),
        ("a has shape|model demands", "batches broadcast from TensorFlow 1.14 on, not before"),
    ),
    "tf.image.combined_non_max_suppression": ("per_class >= 1", "TensorFlow 1 gives rows of padding only"),
    "torch.nn.functional.cross_entropy": (
        "<0x|x0[ >]|model rejects: input has shape|dtype to be long",
        "integers for probabilities",
    ),
    **dict.fromkeys(("torch.bilinear", "torch.nn.functional.bilinear"), ("bias has rank", "any bias broadcasts")),
    "torch.nn.functional.multilabel_soft_margin_loss": ("<literal", "a list that is turned into tensors by negation"),
    "torch.nn.functional.gumbel_softmax": ("<0[x >]|x0[ >]", "of nothing, as a default dtype"),
    "torch.linalg.vander": ("greater than 1", "a single power"),
    "torch.einsum": ("<0x|x0[ >]", "nothing to sum"),
    "torch.nn.functional.nll_loss": ("<[^<]*(uint8|complex)|dtype to be long", "whole numbers for logarithms"),
    "torch.nn.functional.scaled_dot_product_attention": ("<0x|<1x0", "nothing to attend to"),
    **dict.fromkeys(
        (f"{of}.{name}" for of in ("torch", "torch.Tensor") for name in ("cholesky", "qr")),
        ("now removed", "of older versions"),
    ),
    "jax.numpy.tile": ("shape has the entry -", "a negative size"),
    "jax.numpy.linalg.cholesky": (r"axis|demands|<1x|x1[ >x]", "a matrix and its transpose broadcast"),
    **dict.fromkeys(("jax.numpy.quantile", "jax.numpy.percentile"), ("keepdims=true", "a number gets an axis")),
    **dict.fromkeys(("jax.numpy.nanquantile", "jax.numpy.nanpercentile"), ("keepdims=true|rank <= 1", "the same")),
    **dict.fromkeys(("jax.numpy.linalg.pinv", "jax.numpy.linalg.svd"), ("hermitian=true", "no such matrix")),
    **dict.fromkeys(
        ("jax.numpy.linalg.eigh", "jax.numpy.linalg.eigvalsh"), ("x1|<1x|x1x", "a matrix and its transpose broadcast")
    ),
    "jax.numpy.linalg.norm": (
        r"axis=\[(-?\d), \1\]|invalid order",
        "an axis that is named twice, a word that is no order",
    ),
    "jax.numpy.gradient": (r"<\d+[ >].*axis=\[", "the only axis, named twice"),
    **dict.fromkeys(("jax.numpy.nanmedian", "jax.numpy.median"), ("scalar.*keepdims=true", "a number gets an axis")),
    "jax.numpy.diff": (r"(n=0|, 0)[,)].*without \[", "of no steps, what would not join is not looked at"),
    **dict.fromkeys(("jax.numpy.cov", "jax.numpy.corrcoef"), ("<0x|x0[ >]", "of nothing, with another dtype")),
    "jax.numpy.resize": ("non-hashable", "a list of sizes"),
    "jax.scipy.special.zeta": ("not implemented", "the function of one number"),
    **dict.fromkeys(
        (f"jax.scipy.signal.{each}" for each in ("convolve", "correlate", "convolve2d", "correlate2d")),
        ("must be smaller", "neither contains the other"),
    ),
    "jax.numpy.unwrap": ("discont=<", "an array of discontinuities"),
    "jax.numpy.take": ("mode=|x0[ >x].*x0[ >x]", "a mode that JAX lacks, or nothing to take"),
    "jax.numpy.meshgrid": ("must be 1d", "more than NumPy takes for rows"),
    "jax.random.uniform": (
        "does not broadcast|demands b == 1|-1|other numbers|^blind.*val=",
        "looked at only when it is compiled",
    ),
    "jax.random.weibull_min": ("-1", "the same"),
    "torch.Tensor.unflatten": (r"super\(type", "a list has no such method"),
    "torch.nn.functional.binary_cross_entropy": (
        "between 0 and 1|must be float",
        "the numbers decide, and other dtypes",
    ),
    **dict.fromkeys(
        ("torch.Tensor.cuda", "torch.Tensor.pin_memory"), ("not compiled|no.* available", "there is no GPU")
    ),
    "torch.nn.functional.avg_pool3d": ("smaller than kernel", "cubes must contain the window, with ceil_mode too"),
    "torch.nn.functional.linear": (
        "mat2 must be a matrix|expand",
        "a row as a weight, or a bias with as many axes as the result",
    ),
    "torch.nn.functional.affine_grid": ("positive output size", "a size below zero"),
    "torch.fft.rfftn": (r"data points \(0\)", "a transform of no points"),
    **dict.fromkeys(("torch.lerp", "torch.Tensor.lerp"), ("complex", "a complex weight")),
    **dict.fromkeys(("torch.diff", "torch.Tensor.diff"), ("n=0|, 0[,)]", "nothing to do")),
    **dict.fromkeys(("torch.fft.fftshift", "torch.fft.ifftshift"), (r"\[\]", "a shift along no axis")),
    **dict.fromkeys(
        (f"torch.nn.functional.{name}_norm" for name in ("instance", "local_response")),
        ("x0[ >x]|<0x", "nothing to do"),
    ),
    **dict.fromkeys(
        (
            f"torch.{{}}conv{kind}{axes}d".format(of)
            for of in ("", "nn.functional.")
            for kind in ("", "_transpose")
            for axes in (1, 2, 3)
        ),
        ("non-positive groups", "no groups"),
    ),
    **dict.fromkeys(("torch.fft.fft2", "torch.fft.ifft2"), (r"(dim|axis)=\[\]", "a transform along no axis")),
    **dict.fromkeys(("optax.hinge_loss", "optax.losses.hinge_loss"), ("literal", "products of lists")),
    **dict.fromkeys(
        (f"torch.{of}{each}" for of in ("", "Tensor.") for each in ("chunk", "unsafe_chunk")),
        (r"ceil\(b", "short axes have fewer parts"),
    ),
    "jax.random.choice": ("greater than 0|x0[ >]", "of nothing, nothing is chosen"),
    "jax.numpy.rot90": ("non-hashable", "a list of axes"),
    **dict.fromkeys(
        (f"jax.numpy.{each}split" for each in ("", "array_", "d", "h")), ("nonnegative", "parts that go backwards")
    ),
    **dict.fromkeys(
        (f"jax.numpy.fft.{each}" for each in "fftn ifftn rfftn irfftn fft2 ifft2 rfft2 irfft2".split()),
        (r"be positive|only supports 2 axes|scalar|axes=\[\]", "sizes below zero, and other numbers of axes"),
    ),
    **dict.fromkeys(
        ("jax.numpy.fft.fftfreq", "jax.numpy.fft.rfftfreq"), (r"\(0\)|dtype='u?int", "of nothing, and as whole numbers")
    ),
}
load()


def is_compared(made: Definition) -> bool:
    """Return whether calls of a model are drawn and compared with the library's."""
    if made.form != "op" or made.oracle.startswith("none"):
        return False
    return made.family.startswith(("ops.", "scipy.")) or package_of(made.names[0]) != CORE


def families(package: str = CORE) -> dict[str, list[Definition]]:
    """Return the models of a pack that have an oracle, by family."""
    load(package)
    by_family: dict[str, list[Definition]] = {}
    for model in REGISTRY.values():
        made = model.definition
        if is_compared(made) and package_of(model.name) == package:
            found = by_family.setdefault(made.family, [])
            if made not in found:
                found.append(made)
    return by_family


@dataclass
class Tally:
    """Counts of the results of calls."""

    calls: int = 0
    accepted: int = 0
    rejected: int = 0
    excepted: int = 0  # refused for another reason than shapes, or odd
    blind: int = 0
    names: set[str] = field(default_factory=set)
    proved: set[str] = field(default_factory=set)
    blind_names: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    comparable: int = 0  # calls whose shapes TensorFlow infers without running them, too
    vague: list[str] = field(default_factory=list)  # those where it infers more than the model

    def add(self, other: Tally) -> None:
        self.calls += other.calls
        self.accepted += other.accepted
        self.rejected += other.rejected
        self.excepted += other.excepted
        self.blind += other.blind
        self.names |= other.names
        self.proved |= other.proved
        self.faults += other.faults
        self.comparable += other.comparable
        self.vague += other.vague


@dataclass
class Judge:
    """Compares models with the libraries of an environment."""

    environment: Environment
    oracle: Oracle
    cases: int
    is_precision_asked: bool = False
    seed: int = SEED
    aborts: Counter[tuple[str, str]] = field(default_factory=Counter)  # by family and kind of mismatch

    def family(self, models: list[Definition]) -> Tally:
        tally = Tally()
        for made in models:
            for name in made.names:
                self.name(name, made, tally)
        odd = list(filter(is_odd, tally.faults))
        tally.faults = [fault for fault in tally.faults if fault not in odd]
        tally.excepted += len(odd)
        return tally

    def name(self, name: str, made: Definition, tally: Tally) -> None:
        """Draw calls of one name and compare."""
        if name.split(".")[0] in self.environment.leaves_out:
            return
        rng = draws(name, self.seed)
        taken: list[Call] = []
        most = max(4 * self.cases, 60) if self.environment is CURRENT else self.cases
        for turn in range(most):
            if turn >= self.cases and (not tally.calls or (made.oracle or name) in tally.proved):
                break
            call = draw(made, made.oracle or name, rng, self.environment.target)
            if call is None:
                break
            refused = refusal(made, call, self.environment.target)
            if self.aborts[made.family, refused] > 2:
                continue  # the libraries would start anew once more
            answer = self.oracle.call(call.name, call.encoded_args(), call.encoded_keywords())
            if "missing" in answer:
                return
            if "shapes" in answer and not refused:
                taken.append(call)
            self.aborts[made.family, refused] += bool(refused) and answer.get("error") == ABORTED
            if answer.get("error") == ABORTED and not refused:  # there may be no kernel for the dtypes
                usual = call.usual()
                answer = {**self.oracle.call(call.name, usual.encoded_args(), usual.encoded_keywords()), "dtypes": []}
            tally.calls += 1
            tally.names.add(call.name)
            if "numeric" in answer or (answer.get("lax") and refused):
                tally.excepted += 1
                continue
            try:
                self.judge(Model(call.name, made), call, answer, rng, tally)
            except Exception as error:
                where = traceback.extract_tb(error.__traceback__)[-1]
                tally.faults.append(f"{call}: the model fails with {error!r} at {where.filename}:{where.lineno}")

        self.options(made, taken, tally)
        self.other_spellings(made, taken, tally)
        self.misplaced(made, taken, tally)

    def options(self, made: Definition, taken: list[Call], tally: Tally) -> None:
        """Repeat accepted calls with options that the model does not name, one at a time."""
        if not taken:
            return
        rng = draws(f"options of {taken[0].name}", self.seed)
        offered = list(unnamed(made, self.oracle.options(taken[0].name), taken, self.environment.target))
        rng.shuffle(offered)
        for option, arguments in (offered * self.cases)[: self.cases if offered else 0]:
            call = with_option(rng.choice(taken), option, rng.choice(arguments))
            answer = self.oracle.call(call.name, call.encoded_args(), call.encoded_keywords())
            if "shapes" not in answer:
                continue  # it need not be one that the function takes
            if not self.has_dtypes(call):
                answer["dtypes"] = []
            tally.calls += 1
            compare(Model(call.name, made), call, answer, self.environment.target, tally)

    def other_spellings(self, made: Definition, taken: list[Call], tally: Tally) -> None:
        """Repeat accepted calls with the other names that the library takes for its arguments."""
        spellings = {real: other for other, real in names.tables(self.environment.package)["spellings"].items()}
        for call in taken if spellings else ():
            named = {spellings.get(name, name): argument for name, argument in call.named.items()}
            again = Call(call.name, call.positional, named)
            if named.keys() == call.named.keys():
                continue
            answer = self.oracle.call(again.name, again.encoded_args(), again.encoded_keywords())
            if "shapes" not in answer:
                continue  # functions that are written in Python take their own names only
            if not self.has_dtypes(call):
                answer["dtypes"] = []
            tally.calls += 1
            compare(Model(again.name, made), again, answer, self.environment.target, tally)

    def has_dtypes(self, call: Call) -> bool:
        """Return whether the tables know the dtypes of this environment, and of this release of the library."""
        if self.environment.package != CORE:
            return True
        root = call.name.split(".")[0]
        library = {"np": "numpy", "tf": "tensorflow"}.get(root, root)
        is_other = self.environment is CURRENT and library in LIBRARIES and is_other_release(library)
        return self.environment.name in dtypes.table() and not is_other

    def misplaced(self, made: Definition, taken: list[Call], tally: Tally) -> None:
        """Repeat accepted calls with an array in the place of a number, a truth value or a word."""
        if self.environment is not CURRENT:
            return
        rng = draws(f"misplaced in {made.names[0]}", self.seed)
        for parameter in (each for each in made.parameters if each.reading in WANTED and ... not in each.options):
            named = [call for call in taken if parameter.name in call.named]
            if not named:
                continue
            call = rng.choice(named)
            call = Call(call.name, call.positional, {**call.named, parameter.name: Array((2, 3), "float")})
            answer = self.oracle.call(call.name, call.encoded_args(), call.encoded_keywords())
            if "numeric" in answer:
                continue
            tally.calls += 1
            compare(Model(call.name, made), call, answer, self.environment.target, tally)

    def judge(self, model: Model, call: Call, answer: dict[str, Any], rng: random.Random, tally: Tally) -> None:
        if not self.has_dtypes(call):
            answer["dtypes"] = []
        compare(model, call, answer, self.environment.target, tally)
        if "shapes" not in answer:
            return
        if self.environment.target.tensorflow == 2:  # a program for TensorFlow 1 is recognised by its names
            compare_any_version(model, call, answer, tally)
        self.compare_others(model, call, answer, tally)
        true: dict[Symbol, int] = {}
        veil = Veil(rng, true)
        ctx = StubContext(self.environment.target)
        found = model.run(ctx, call.args(veil.hidden), call.keywords(veil.hidden))
        compare_blind(ctx, found, call, answer["shapes"], true, tally)
        compare_untold(StubContext(self.environment.target), model, call, answer["shapes"], tally)
        if self.is_precision_asked and call.name.startswith("tf.") and not veil.is_partial:
            self.compare_precision(found, call, answer["attempt"], veil, tally)

    def compare_others(self, model: Model, call: Call, answer: dict[str, Any], tally: Tally) -> None:
        """Whatever the numbers in the arrays are, the model must be right."""
        if answer["lax"] or not call.has_numbers():
            return
        asked = call.encoded_args(), call.encoded_keywords()
        found = model.run(StubContext(self.environment.target), call.args(), call.keywords())
        for other in self.oracle.others(call.name, *asked, answer["attempt"], self.seed):
            if not fits(found, other["shapes"], {}):
                tally.faults.append(f"{call}: other numbers give {other['shapes']}, model gives {shown(found)}")
            elif answer["dtypes"] and (wrong := wrong_dtypes(found, other["dtypes"])):
                tally.faults.append(f"{call}: other numbers give {wrong[1]}, model gives {wrong[0]}")

    def compare_precision(self, found: Value, call: Call, attempt: int, veil: Veil, tally: Tally) -> None:
        """Check that with the same sizes hidden, the model infers what TensorFlow infers."""
        args, keywords = call.veiled(veil.seen)
        told = self.oracle.static(call.name, args, keywords, attempt)
        if told is None:
            return
        tally.comparable += 1
        if not is_as_precise(found, told):
            tally.vague.append(f"{call} hidden as {veil.seen}: TensorFlow tells {told}, model gives {shown(found)}")


def unnamed(
    made: Definition, offered: dict[str, list[Any]], taken: list[Call], target: Target
) -> Iterator[tuple[str, list[Any]]]:
    """Return the options that no call was given, with possible arguments for them."""
    given = {name for call in taken for name in call.named}
    by_position = (real_parameters(taken[0].name, target) or ())[: max(len(call.positional) for call in taken)]
    return ((name, values) for name, values in offered.items() if name not in given and name not in by_position)


def with_option(call: Call, option: str, argument: Any) -> Call:
    """Return the call with one more argument; one like an operand has the shape of the first array."""
    if isinstance(argument, dict):
        like = next((each.shape for each in call.positional if isinstance(each, Array)), ())
        argument = Array(like if argument["t"] == "like" else (), argument["k"])
    return Call(call.name, call.positional, {**call.named, option: argument})


def refusal(made: Definition, call: Call, target: Target) -> str:
    """Return the kind of mismatch for which the model refuses a call."""
    ctx = StubContext(target)
    try:
        Model(call.name, made).run(ctx, call.args(), call.keywords())
    except Exception:
        return ""  # which is reported later
    return ctx.clashes[0][0].value if ctx.clashes else ""


def is_odd(fault: str) -> bool:
    words, _ = ODD.get(called(fault), ("", ""))
    return bool(words) and re.search(words, fault.lower()) is not None


def called(fault: str) -> str:
    """Return the function that a disagreement is about."""
    return fault.removeprefix("blind ").removeprefix("any ").split("(")[0]


def compare(model: Model, call: Call, answer: dict[str, Any], target: Target, tally: Tally) -> None:
    """Check agreement on fully known shapes."""
    ctx = StubContext(target)
    found = model.run(ctx, call.args(), call.keywords())
    if "shapes" in answer:
        tally.accepted += 1
        tally.proved.add(call.name)
        if ctx.clashes and is_degenerate(call, answer["shapes"]):
            return
        if ctx.clashes:
            tally.faults.append(f"{call}: library gives {answer['shapes']}, model rejects: {ctx.clashes[0][1]}")
        elif not fits(found, answer["shapes"], {}):
            tally.faults.append(f"{call}: library gives {answer['shapes']}, model gives {shown(found)}")
        elif wrong := wrong_dtypes(found, answer["dtypes"]):
            tally.faults.append(f"{call}: library gives {wrong[1]}, model gives {wrong[0]}")
        elif not is_ranked(found):
            tally.blind += 1
            tally.blind_names[call.name] = tally.blind_names.get(call.name, 0) + 1
    else:
        tally.rejected += 1
        if call.is_empty():
            return  # there is no smallest element, no average, …
        if not ctx.clashes and is_known(found):
            tally.faults.append(f"{call}: library rejects ({answer['error'][:120]}), model gives {shown(found)}")


def compare_any_version(model: Model, call: Call, answer: dict[str, Any], tally: Tally) -> None:
    """Check that a call that one version accepts is no error in a program of unknown version."""
    ctx = StubContext(Target())
    found = model.run(ctx, call.args(), call.keywords())
    if is_degenerate(call, answer["shapes"]):
        return
    if ctx.clashes:
        tally.faults.append(f"any {call}: library accepts, model rejects: {ctx.clashes[0][1]}")
    elif not fits(found, answer["shapes"], {}):
        tally.faults.append(f"any {call}: library gives {answer['shapes']}, model gives {shown(found)}")


def is_degenerate(call: Call, shapes: Any) -> bool:
    """Return whether there is nothing to compute, so that kernels do not check all of their operands."""
    return call.is_empty() or (isinstance(shapes, list) and 0 in shapes)


def compare_blind(
    ctx: StubContext, found: Value, call: Call, shapes: Any, true: dict[Symbol, int], tally: Tally
) -> None:
    """Check that with half of the sizes and some ranks hidden, the true result remains possible."""
    if is_degenerate(call, shapes):
        return
    if ctx.clashes:
        tally.faults.append(f"blind {call}: library accepts, model rejects: {ctx.clashes[0][1]}")
    elif not fits(found, shapes, true):
        tally.faults.append(f"blind {call}: library gives {shapes}, model gives {shown(found)}")
    for claim in ctx.facts:
        if claim_symbols(claim) <= set(true) and not holds(claim, true):
            tally.faults.append(f"blind {call}: library accepts, model demands {claim}")


def compare_untold(ctx: StubContext, model: Model, call: Call, shapes: Any, tally: Tally) -> None:
    """Check that with some other arguments unknown, the true result remains possible."""
    args, keywords, hidden = withheld(call, draws(str(call)))
    if not hidden or is_degenerate(call, shapes):
        return
    try:
        found = model.run(ctx, args, keywords)
    except Blind:
        return
    if ctx.clashes:
        tally.faults.append(f"{call} without {hidden}: library accepts, model rejects: {ctx.clashes[0][1]}")
    elif not fits(found, shapes, {}):
        tally.faults.append(f"{call} without {hidden}: library gives {shapes}, model gives {shown(found)}")


def withheld(call: Call, rng: random.Random) -> tuple[list[Value], dict[str, Value], list[str | int]]:
    """Return the arguments of a call, of which some that are no arrays are unknown, and which those are."""
    hidden: list[str | int] = []

    def told(key: str | int, argument: Any, value: Value) -> Value:
        if argument is ... or holds_arrays(argument) or rng.random() < 0.5:
            return value
        hidden.append(key)
        return Lost("an argument")

    args = [told(*each) for each in zip(range(len(call.positional)), call.positional, call.args(), strict=True)]
    keywords = {name: told(name, call.named[name], value) for name, value in call.keywords().items()}
    return args, keywords, hidden


def holds_arrays(argument: Any) -> bool:
    """Return whether an argument is an array, or a sequence with one."""
    inner = argument if isinstance(argument, (list, tuple)) else ()
    return isinstance(argument, Array) or any(map(holds_arrays, inner))


@dataclass
class Veil:
    """Hides half of the sizes, and some ranks; records the true sizes, and the visible part of each shape."""

    rng: random.Random
    true: dict[Symbol, int]
    seen: list[list[int | None] | None] = field(default_factory=list)
    is_partial: bool = False

    def hidden(self, shape: Shape) -> Shape:
        sizes: list[Size] = [self._size(size) for size in shape.head]
        if self.rng.random() < 0.75:
            self.seen.append([size if isinstance(size, int) else None for size in sizes])
            return Shape(tuple(sizes))
        low = self.rng.randint(0, len(sizes))
        high = self.rng.randint(low, len(sizes))
        veiled = self.rng.choice([UNRANKED, Shape(tuple(sizes[:low]), tuple(sizes[high:]))])
        self.seen.append(None)
        self.is_partial |= veiled != UNRANKED
        return veiled

    def _size(self, size: Size) -> Size:
        if self.rng.random() < 0.5:
            return size
        symbol = fresh("B", Kind.DYNAMIC)
        (one,) = symbols(symbol)
        self.true[one] = int(str(size))
        return symbol


def shortest(faults: list[str]) -> list[str]:
    """Return the shortest disagreeing calls of each name, all on one line each."""
    by_name: dict[str, list[str]] = {}
    for fault in sorted((" ".join(fault.split()) for fault in faults), key=len):
        by_name.setdefault(called(fault), []).append(fault)
    return [fault for group in by_name.values() for fault in group[:2]][:80]


def summary(label: str, tally: Tally) -> str:
    """Return a summary in one line."""
    said = (
        f"{label}: {len(tally.names)} names, {tally.calls} calls, {tally.accepted} accepted, {tally.rejected} rejected"
    )
    said += f", {tally.excepted} excepted, {len(tally.faults)} disagreements, {tally.blind} of unknown rank"
    if tally.comparable:
        share = 100 * (1 - len(tally.vague) / tally.comparable)
        said += f", as precise as TensorFlow's own shapes in {share:.2f} % of {tally.comparable}"
    return said
