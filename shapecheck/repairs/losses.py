"""Repairs that choose another loss or metric for the same task."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Const, Tensor, walk
from shapecheck.models.lang.packs import FUNCTIONAL
from shapecheck.models.lang.registry import lookup
from shapecheck.repairs.situation import Candidate, OperandText, Situation, callee
from shapecheck.rules.call import Argument

Pairs = tuple[tuple[str, str], ...]
_LOSSES: Pairs = (
    ("sparse_categorical_crossentropy", "categorical_crossentropy"),
    ("SparseCategoricalCrossentropy", "CategoricalCrossentropy"),
    ("sparse_softmax_cross_entropy_with_logits", "softmax_cross_entropy_with_logits"),
)
_OF_ONE_UNIT: Pairs = (
    ("categorical_crossentropy", "binary_crossentropy"),
    ("sparse_categorical_crossentropy", "binary_crossentropy"),
    ("CategoricalCrossentropy", "BinaryCrossentropy"),
    ("SparseCategoricalCrossentropy", "BinaryCrossentropy"),
)
_METRICS: Pairs = (
    ("sparse_categorical_accuracy", "categorical_accuracy"),
    ("SparseCategoricalAccuracy", "CategoricalAccuracy"),
    ("SparseTopKCategoricalAccuracy", "TopKCategoricalAccuracy"),
    ("sparse_top_k_categorical_accuracy", "top_k_categorical_accuracy"),
    ("SparseCategoricalAccuracy", "Accuracy"),
    ("SparseCategoricalAccuracy", "Precision"),
    ("SparseCategoricalAccuracy", "Recall"),
)

_TAKING_CLASSES = ("one_hot", "sparse", "gather", "take_along", "nll_loss", "integer_labels")
_CASTS = ("cast", "astype")
_OF_ROWS, _OF_NUMBERS = "softmax_cross_entropy", "_with_integer_labels"

AVERAGE = "tf.nn.compute_average_loss"
"""What adds the losses of samples and divides the sum by the samples of all replicas."""


def loss_exchanged(s: Situation) -> Iterator[Candidate]:
    """Yield programs with another loss or metric."""
    others = _of_several_classes(s) or _others(s)
    if not _may_be_numbers(s):
        others = {name: [each for each in meant if "sparse" not in each.lower()] for name, meant in others.items()}
    for node in s.text.nodes:
        match node:
            case ast.Constant(value=str(name)):
                quote = s.text.text(node)[0]
                for weight, other in enumerate(others.get(name, ())):
                    yield s.candidate(weight, node, f"{quote}{other}{quote}")
            case ast.Attribute(attr=name, value=value):
                for weight, other in enumerate(others.get(name, ())):
                    yield s.candidate(weight, node, f"{s.text.text(value)}.{other}")


def _of_several_classes(s: Situation) -> Mapping[str, list[str]]:
    """Return the losses for labels of which several may be true, if a model gives a chance of each: it ends with a
    sigmoid of several units, and the labels are as many."""
    shapes = [argument.shape for argument in s.call.arguments if argument.shape.is_ranked]
    layers = [node for node in s.text.nodes if isinstance(node, ast.Call) and callee(node) == "Dense"]
    last = max(layers, key=s.text.span, default=None)
    given = (each.value for each in last.keywords if each.arg == "activation") if last is not None else ()
    is_sigmoid = any(isinstance(each, ast.Constant) and each.value == "sigmoid" for each in given)
    if s.kind is not ClashKind.CROSS_ENTROPY or not is_sigmoid or len(shapes) != 2:
        return {}
    labels, scores = (shape.sizes for shape in shapes)
    is_alike = len(labels) == len(scores) == 2 and labels[1] == scores[1] != 1
    return {name: [other] for name, other in _OF_ONE_UNIT} if is_alike else {}


def _may_be_numbers(s: Situation) -> bool:
    """Return whether labels may be class numbers of what a model gives: their axes are its, without the classes."""
    shapes = [argument.shape for argument in s.call.arguments if argument.shape.is_ranked]
    if s.kind is not ClashKind.CROSS_ENTROPY or len(shapes) != 2:
        return True
    labels, given = (shape.sizes for shape in shapes)
    return len(labels) < 2 or len(labels) != len(given) - 1 or s.call.always(labels[-1], given[-2])


def one_hot_undone(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a sparse loss gets the numbers of the classes, of labels that are as wide as the
    logits."""
    shapes = [argument.shape for argument in s.call.arguments]
    if len(shapes) != 2 or shapes[0].rank != shapes[1].rank or not s.tensorflow or "sparse" not in callee(s.node):
        return
    for operand in s.operands:
        if operand.argument is s.call.arguments[0]:
            yield s.candidate(0, operand.node, f"{s.tensorflow}.argmax({s.text.text(operand.node)}, axis=-1)")


def labels_of_other_kind(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a loss gets labels of its kind: class numbers have one axis less than scores."""
    ranks = [argument.rank for argument in s.call.arguments]
    pair = f"{s.call.step.name.removesuffix(_OF_NUMBERS)}{_OF_NUMBERS}"
    if lookup(pair) is None or not isinstance(s.node, ast.Call) or len(ranks) != 2:
        return
    name = s.text.text(s.node.func)
    if name.endswith(_OF_ROWS) and ranks[0] is not None and ranks[1] == ranks[0] - 1:
        yield s.candidate(-1, s.node.func, f"{name}{_OF_NUMBERS}")
    if name.endswith(_OF_NUMBERS) and ranks[0] and ranks[0] == ranks[1]:
        scores, labels = (argument.shape for argument in s.call.arguments)
        if labels.sizes[-1] == scores.sizes[-1]:
            yield s.candidate(-1, s.node.func, name.removesuffix(_OF_NUMBERS))
        for operand in s.operands if labels.sizes[-1] == 1 else ():
            if operand.argument is s.call.arguments[1]:
                yield s.candidate(-1, operand.node, f"{s.text.text(operand.node)}[..., 0]")


def class_numbers_encoded(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a placeholder for one-hot rows gets those of the class numbers."""
    module = s.text.numpy
    for operand in s.operands if module else ():
        others = [each.shape for each in s.call.arguments if each is not operand.argument]
        wanted = others[0].sizes if len(others) == 1 and others[0].is_ranked else ()
        dtype = operand.argument.tensor.dtype or ""
        if operand.argument.rank == 1 and len(wanted) == 2 and isinstance(wanted[1], int) and "int" in dtype:
            names = [name for name in s.text.visible_from(operand.node) if s.text.number(name) == wanted[1]]
            classes = s.text.text(names[0]) if names else str(wanted[1])
            yield s.candidate(0, operand.node, f"{module}.eye({classes})[{s.text.text(operand.node)}]")


def classes_selected(s: Situation) -> Iterator[Candidate]:
    """Yield programs that multiply probabilities, or their logarithms, by one-hot rows, not by class numbers."""
    for operand in s.operands if isinstance(s.node, ast.BinOp) and isinstance(s.node.op, ast.Mult) else ():
        other = next((each for each in s.call.arguments if each is not operand.argument), None)
        numbers, rank = _whole_numbers(s, operand.argument.tensor), operand.argument.rank
        if other is None or numbers is None or rank is None or other.rank != rank + 1:
            continue
        classes = other.shape.sizes[-1]
        functional = s.text.aliases.get(FUNCTIONAL, "")
        layers = f"{functional}.nn" if functional else ""
        module = (
            s.tensorflow or s.text.aliases.get(f"{FUNCTIONAL}.nn", layers) or (s.functional if s.is_of_torch else "")
        )
        if module and isinstance(classes, int) and (_are_chances(s, other) or _chooses(s, numbers, other)):
            yield _encoded(s, operand, module, classes)


def _encoded(s: Situation, operand: OperandText, module: str, classes: int) -> Candidate:
    """Return the program with one-hot rows of class numbers: without their cast, and in all of a function that uses
    its parameter again."""
    node, text = operand.node, s.text.text(operand.node)
    match node:
        case ast.Call(func=ast.Attribute(attr="cast"), args=[numbers, *_]):
            text = s.text.text(numbers)
        case _ if "int" not in (operand.argument.tensor.dtype or ""):
            text = f"{module}.cast({text}, {module}.int32)"
    made = f"{module}.one_hot({text}, {classes})"
    start = s.text.start_of_function(node) if isinstance(node, ast.Name) else None
    if start is None:
        return s.candidate(0, node, made)
    return s.inserted(0, start[0], f"{s.text.text(node)} = {made}\n{start[1]}")


def _whole_numbers(s: Situation, tensor: Tensor) -> Tensor | None:
    """Return the integers that a tensor is, or was before it was cast."""
    if "int" in (tensor.dtype or "") or not tensor.step:
        return tensor if "int" in (tensor.dtype or "") else None
    made = s.call.graph.steps[tensor.step - 1]
    before = [each for _, each in made.operands()]
    is_cast = any(word in made.name for word in _CASTS) and len(before) == 1
    return _whole_numbers(s, before[0]) if is_cast and s.tensorflow else None


def _are_chances(s: Situation, scores: Argument) -> bool:
    """Return whether scores are probabilities of classes, or what was computed of each."""
    tensor: Tensor | None = scores.tensor
    while tensor is not None and tensor.step:
        made = s.call.graph.steps[tensor.step - 1]
        node = s.text.at(made.place)
        if "softmax" in made.name or (node is not None and any(_is_softmax(each) for each in s.text.parts(node))):
            return True
        before = [each for _, each in made.operands() if each.shape == tensor.shape]
        tensor = before[0] if len(before) == 1 else None
    return False


def _is_softmax(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value == "softmax"


def _chooses(s: Situation, numbers: Tensor, scores: Argument) -> bool:
    """Return whether integers are the numbers of classes: drawn below as many, the places of largest scores, or used
    elsewhere as class numbers are."""
    made = s.call.graph.steps[numbers.step - 1] if numbers.step else None
    given = {part for arg in made.given for part in walk(arg)} if made is not None else set()
    classes = scores.shape.sizes[-1]
    is_drawn = made is not None and "rand" in made.name and Const(classes) in given
    is_place = made is not None and "argmax" in made.name
    uses = (step.name for step in s.call.graph.steps if numbers in [tensor for _, tensor in step.operands()])
    return is_drawn or is_place or any(word in name for name in uses for word in _TAKING_CLASSES)


def _others(s: Situation) -> Mapping[str, list[str]]:
    """Return the losses or metrics that may be meant instead of each."""
    pairs: Pairs = _METRICS if s.kind in (ClashKind.METRIC_LABELS, ClashKind.BROADCAST) else (*_LOSSES, *_METRICS)
    if s.kind is ClashKind.ONE_CLASS:
        pairs = _OF_ONE_UNIT
    found: dict[str, list[str]] = {}
    for first, second in pairs:
        found.setdefault(first, []).append(second)
        found.setdefault(second, []).append(first)
    return found


def losses_kept_apart(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the losses of the samples are not reduced before they are averaged over all replicas."""
    if s.call.step.name != AVERAGE:
        return
    for operand in s.operands:
        made = s.text.first_value(operand.node) if isinstance(operand.node, ast.Name) else operand.node
        match made:
            case ast.Call(args=[losses], keywords=[]) if callee(made) in ("reduce_mean", "reduce_sum"):
                yield s.candidate(-1, operand.node, s.text.text(losses))
            case ast.Call(func=ast.Name() as loss) if isinstance(built := s.text.first_value(loss), ast.Call):
                yield s.with_keyword(-1, built, "reduction", '"none"')


def samples_kept(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a loss is reduced over the last axis, so that each sample has one."""
    for node in s.text.nodes if "the loss has shape" in s.call.clash.message else ():
        match node:
            case ast.Call(keywords=[*keywords]) as call:
                axis = next((each.value for each in keywords if each.arg == "axis"), None)
                if isinstance(axis, ast.Constant) and axis.value == 0:
                    yield s.with_keyword(0, call, "axis", "-1")


def classes_of_rows(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a loss gets the class that each one-hot row of labels tells, not all their numbers."""
    for operand in s.operands if s.is_of_torch else ():
        others = [each.shape for each in s.call.arguments if each is not operand.argument]
        match operand.node:
            case ast.Call(func=ast.Attribute(attr="view" | "flatten" | "reshape" | "ravel", value=rows)):
                if len(others) == 1 and others[0].rank == 2 and s.text.shape(rows) == others[0]:
                    yield s.candidate(0, operand.node, f"{s.text.text(rows)}.argmax(dim=1)")
