"""Repairs that rearrange the axes of an operand: where it is used, or where its name is bound."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Tensor
from shapecheck.repairs.layers import declared_shapes
from shapecheck.repairs.losses import AVERAGE
from shapecheck.repairs.situation import KERAS, MODULES, TORCH, Candidate, OperandText, Situation, callee
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, is_open

_WITH_METHODS = ("np", TORCH, "jax")  # arrays that are reshaped by a method
_STRETCHING = {
    ClashKind.BROADCAST,
    ClashKind.ROWS_MEET_COLUMNS,
    ClashKind.STRETCH_BOTH,
    ClashKind.BATCH_CROSSED,
    ClashKind.ROWS_CROSSED,
    ClashKind.BIAS_COLUMN,
}
_ALIKE = {ClashKind.LOSS_STRETCHED, ClashKind.TARGETS_STRETCHED, ClashKind.SET_SHAPE, ClashKind.CROSS_ENTROPY}
_FED = {ClashKind.FEED, ClashKind.FEED_MISPLACED}
_MORE, _LESS, _ORDER, _FLAT = "more", "less", "order", "flat"
_FORMS: Mapping[ClashKind, tuple[str, ...]] = {
    **dict.fromkeys(_FED, (_MORE, _LESS, _ORDER, _FLAT)),
    **dict.fromkeys(_STRETCHING | _ALIKE, (_MORE, _LESS, _ORDER)),
    ClashKind.AXIS: (_LESS, _ORDER, _FLAT),
    ClashKind.INDEX_RANGE: (_LESS,),
    ClashKind.LAYER_INPUT: (_MORE, _LESS, _ORDER),
}
_REARRANGING = (
    *("transpose", "squeeze", "expand_dims", "to_categorical", "one_hot"),
    *("ravel", "flatten", "batch", "argmax"),
)
_FILLED = ("zeros", "ones", "random_normal", "random_uniform", "truncated_normal")
_NO_NEW_AXIS = ("transpose", "permute_dimensions", "tile")
_FITTING = ("fit", "evaluate", "predict", "predict_classes", "predict_proba")
_NEAR = 8
_TURNED = 40
_DECLARED = 12
_MOST_AXES = 4  # of what layers take, but for pictures in a sequence
_FOLDABLE = {*_FED, ClashKind.CROSS_ENTROPY}
Sizes = tuple[Size, ...]


@dataclass(frozen=True, slots=True)
class _Form:
    """A rearranged operand: its text and sizes."""

    kind: str
    weight: int
    text: str
    sizes: Sizes


def axes_rearranged(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an operand has one more axis, one less, or its axes in another order."""
    allowed = _FORMS.get(s.kind, (_MORE, _LESS))
    if s.kind is ClashKind.NEGATIVE_SIZE and not s.call.is_inner:
        return  # in a model, the data may lack the axis of samples
    for operand in sorted(s.operands, key=lambda each: isinstance(each.node, ast.Call)):  # data before what is computed
        shape = operand.argument.shape
        if not shape.is_ranked or isinstance(operand.node, (ast.List, ast.Tuple, ast.Constant)):
            continue
        forms = [form for form in _forms(s, operand, shape.sizes) if form.kind in allowed]
        fitting = [form for form in forms if promises(s, operand, form.sizes) and _is_told(s, form)]
        fitting += _folded(s, operand, shape.sizes) if s.kind in _FOLDABLE else ()
        for form in fitting if _are_one(s, operand, fitting) else ():
            weight = _TURNED if _is_turned_batch(s, form) else _DECLARED if _is_declared(s, form) else form.weight
            yield from _written(s, operand, replace(form, weight=weight))


def _is_turned_batch(s: Situation, form: _Form) -> bool:
    """Return whether a table that a layer is given is turned, whose rows are samples and fit only by chance."""
    return s.kind is ClashKind.AXIS and form.kind == _ORDER and len(s.call.arguments) == 1 and len(form.sizes) == 2


def _are_one(s: Situation, operand: OperandText, forms: Sequence[_Form]) -> bool:
    """Return whether there are not several ways to align an operand, of which only the author knows the right one."""
    if s.kind is ClashKind.AXIS and any(form.kind == _ORDER for form in forms):
        return not _has_same_shapes(s) or _is_right_factor(s, operand)
    return s.kind not in _STRETCHING or len({form.sizes for form in forms if form.kind == _MORE}) <= 1


def _is_right_factor(s: Situation, operand: OperandText) -> bool:
    """Return whether an operand is the right one of two batches of matrices, which is the one that attention
    transposes."""
    return operand.argument is s.call.arguments[1] and (operand.argument.rank or 0) > 2


def _is_told(s: Situation, form: _Form) -> bool:
    """Return whether a form has the size that a layer was made for, and one in another order certainly the size that is
    wanted of the only operand."""
    if s.kind is ClashKind.LAYER_INPUT:
        is_told = len(form.sizes) >= _MOST_AXES or form.kind != _ORDER or _is_declared(s, form)
        has_size = not s.unequal or any(wanted in form.sizes for wanted, _ in s.unequal)
        return has_size and is_told
    if form.kind != _ORDER or s.kind is not ClashKind.AXIS or len(s.call.arguments) != 1:
        return True
    return not s.unequal or any(size in pair for size in (*form.sizes[1:2], *form.sizes[-1:]) for pair in s.unequal)


def _is_declared(s: Situation, form: _Form) -> bool:
    """Return whether a model is declared for samples that are turned to a form."""
    if s.kind is not ClashKind.LAYER_INPUT or form.kind != _ORDER or len(form.sizes) >= _MOST_AXES:
        return False
    shapes = (shape.elts for node in s.text.nodes for shape in declared_shapes(node))
    return any(tuple(s.text.number(size) for size in sizes) == form.sizes[1:] for sizes in shapes)


def _has_same_shapes(s: Situation) -> bool:
    """Return whether two factors have the same shape, so that either could be the one that is to be transposed."""
    shapes = [argument.shape for argument in s.call.arguments]
    return len(shapes) == 2 and shapes[0] == shapes[1] and 1 not in shapes[0].sizes


def _written(s: Situation, operand: OperandText, form: _Form) -> Iterator[Candidate]:
    """Yield the programs with a form of an operand: for all uses of its name, if there are several, and here alone.

    Tensors that an optimizer is given must stay what they are, so that those of other frameworks are not bound anew.
    """
    is_value = isinstance(operand.node, ast.Name) and operand.argument.tensor.library in MODULES
    bound = s.text.line_after_binding(operand.node) if is_value and isinstance(operand.node, ast.Name) else None
    if form.kind == _MORE and form.text.endswith("newaxis]"):
        yield from _made_with_axis(s, operand.node, form)
    if is_value and form.kind == _MORE and isinstance(operand.node, ast.Name):
        yield from _data_alike(s, operand.node, form)
    if bound is not None and isinstance(operand.node, ast.Name):
        at, indent = bound
        yield s.inserted(form.weight, at, f"\n{indent}{operand.node.id} = {form.text}")
    yield s.candidate(form.weight, operand.node, form.text)


def _data_alike(s: Situation, node: ast.Name, form: _Form) -> Iterator[Candidate]:
    """Yield programs in which all data that models get have the form of one operand, if they are alike."""
    shape, names = s.text.shape(node), {node.id: node}
    for call in s.text.nodes if callee(s.node) in _FITTING else ():
        for given in _data_given(call):
            other = s.text.shape(given)
            if shape is not None and other is not None and other.is_ranked and other.sizes[1:] == shape.sizes[1:]:
                names.setdefault(given.id, given)
    bound = {name: s.text.line_of_binding(each) for name, each in names.items()}
    added: dict[int, str] = {}
    for name, place in bound.items():
        if place is not None:
            changed = re.sub(rf"\b{re.escape(node.id)}\b", name, form.text)
            added[place[0]] = f"{added.get(place[0], '')}\n{place[1]}{name} = {changed}"
    if len(names) > 1 and all(bound.values()):
        yield Candidate(form.weight, tuple(s.text.inserted(at, text) for at, text in sorted(added.items())))


def _data_given(call: ast.AST) -> Iterator[ast.Name]:
    """Yield the names of the samples that a model is fitted to, validated or evaluated with, or predicts from."""
    if isinstance(call, ast.Call) and callee(call) in _FITTING:
        validated = (each.value for each in call.keywords if each.arg == "validation_data")
        pairs = [each.elts[0] for each in validated if isinstance(each, ast.Tuple) and each.elts]
        yield from (each for each in (*call.args[:1], *pairs) if isinstance(each, ast.Name))


def _made_with_axis(s: Situation, node: ast.expr, form: _Form) -> Iterator[Candidate]:
    """Yield programs in which zeros or noise are made with an axis of size 1, if that is the last one."""
    made = s.text.first_value(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
    changes = made is not None and s.text.definition(node) is None  # what is bound once may stand for data
    if isinstance(made, ast.Call) and changes and callee(made) in _FILLED and "[..., " in form.text:
        for shape in (*made.args[:1], *(each.value for each in made.keywords if each.arg in ("shape", "size"))):
            if isinstance(shape, (ast.Tuple, ast.List)) and len(shape.elts) == len(form.sizes) - 1:
                yield s.inserted(form.weight - 1, s.text.span(shape.elts[-1])[1], ", 1")


def promises(s: Situation, operand: OperandText, sizes: Sequence[Size]) -> bool:
    """Return whether an operand of these sizes may fit the other ones."""
    others = [argument.shape for argument in s.call.arguments if argument is not operand.argument]
    if s.kind in _ALIKE and not others:
        shape = operand.argument.shape  # what is expected is told by the first size that differs
        return s.kind is ClashKind.SET_SHAPE and len(sizes) == shape.rank and sizes[0] in [a for a, _ in s.unequal[:1]]
    if s.kind is ClashKind.AXIS and len(others) == 1 and len(s.call.arguments) == 2 and others[0].is_ranked:
        is_left = operand.argument is s.call.arguments[0]
        pair = (sizes, others[0].sizes) if is_left else (others[0].sizes, sizes)
        return _multiply(s, *pair) or _differ_in_one(s, *pair) or _has_rows(s, operand, sizes, others[0].sizes)
    if s.kind is ClashKind.AXIS and not others and not _has_wanted(s, operand.argument.shape, sizes):
        return False
    others = [other for other in others if other.rank != 0 or s.kind not in _STRETCHING]  # a number fits everything
    return all(not other.is_ranked or _fits(s, sizes, other.sizes) for other in others)


def _has_wanted(s: Situation, before: Shape, sizes: Sequence[Size]) -> bool:
    """Return whether an operand of these sizes has the size that a layer takes where it has another one now."""
    claim = s.call.clash.claim
    if not isinstance(claim, Equal) or not before.is_ranked:
        return True
    for mine, wanted in ((claim.a, claim.b), (claim.b, claim.a)):
        places = [at - len(before.sizes) for at, size in enumerate(before.sizes) if size == mine]
        if places:
            return any(-at <= len(sizes) and _equal(s, sizes[at], wanted) for at in places)
    return True


def _fits(s: Situation, sizes: Sequence[Size], other: Sequence[Size]) -> bool:
    if s.kind is ClashKind.AXIS:
        return _multiply(s, sizes, other) or _multiply(s, other, sizes) or _differ_in_one(s, sizes, other)
    if s.kind in _FED:
        return s.call.fits(sizes, other)
    if s.kind in _STRETCHING and not s.compares_classes:
        return _stretches_to(s, sizes, other) or _stretches_to(s, other, sizes)
    if s.kind is ClashKind.CROSS_ENTROPY:
        if other and is_open(other[0]):  # whatever rows there are make batches
            sizes = (*other[:1], *sizes[1:]) if sizes else ()
        if len(sizes) == len(other) - 1:
            return _alike(s, sizes, other[:-1])
    return s.kind not in _ALIKE | _STRETCHING or _alike(s, sizes, other)


def _stretches_to(s: Situation, sizes: Sequence[Size], other: Sequence[Size]) -> bool:
    """Return whether broadcasting one shape gives the other one, of the same rank."""
    pairs = list(zip(sizes, other, strict=False))
    return len(sizes) == len(other) and all(a == 1 or _equal(s, a, b) for a, b in pairs)


def _multiply(s: Situation, left: Sequence[Size], right: Sequence[Size]) -> bool:
    """Return whether two matrices, batches of matrices, or a matrix and a vector, have a product."""
    if len(left) == len(right) > 2:
        return _alike(s, left[:-2], right[:-2]) and _equal(s, left[-1], right[-2])
    return 0 < len(left) <= 2 and 0 < len(right) <= 2 and _equal(s, left[-1], right[0])


def _has_rows(s: Situation, operand: OperandText, sizes: Sequence[Size], other: Sequence[Size]) -> bool:
    """Return whether an operand has as many rows as the other one, where it is the rows that differ."""
    now = operand.argument.shape.sizes[0], other[0] if other else None
    return now in (*s.unequal, *((b, a) for a, b in s.unequal)) and len(sizes) == 2 and sizes[0] == now[1]


def _differ_in_one(s: Situation, sizes: Sequence[Size], other: Sequence[Size]) -> bool:
    """Return whether two shapes of one rank differ in at most one axis, along which they may be joined."""
    pairs = list(zip(sizes, other, strict=False))
    return len(sizes) == len(other) and sum(not _equal(s, a, b) for a, b in pairs) <= 1


def _alike(s: Situation, sizes: Sequence[Size], other: Sequence[Size]) -> bool:
    return len(sizes) == len(other) and all(_equal(s, a, b) for a, b in zip(sizes, other, strict=True))


def _equal(s: Situation, a: Size, b: Size) -> bool:
    return s.call.always(a, b) or (is_open(a) and is_open(b))


# --- forms of an operand ---------------------------------------------------------------------------------------------


def _forms(s: Situation, operand: OperandText, sizes: Sizes) -> Iterator[_Form]:
    """Yield the forms of an operand, those that add or remove an axis first."""
    given = s.text.value(operand.node)  # an array, where a layer of a model gets a tensor
    library = given.library if isinstance(given, Tensor) else operand.argument.tensor.library
    module = s.module_of(library)
    text = s.text.text(operand.node)
    if library == KERAS:
        yield _Form(_MORE, 0, f"{_in_brackets(text, operand.node)}[..., None]", (*sizes, 1))
    elif callee(s.node) not in _NO_NEW_AXIS and (len(sizes) < _MOST_AXES or s.kind is not ClashKind.LAYER_INPUT):
        yield from _with_new_axis(s, operand.node, library, module, sizes)
    yield from _without_axis(text, operand.node, library, module, sizes)
    yield from _in_other_order(s, text, operand.node, library, module, sizes)
    if len(sizes) >= 3 and library in _WITH_METHODS:
        whole = (sizes[0], _product(sizes[1:]))
        yield _Form(_FLAT, 3, f"{_in_brackets(text, operand.node)}.reshape(len({text}), -1)", whole)


def _folded(s: Situation, operand: OperandText, sizes: Sizes) -> Iterator[_Form]:
    """Yield an operand whose rows have the shape of those of the other one."""
    others = [each.shape for each in s.call.arguments if each is not operand.argument]
    library, text = operand.argument.tensor.library, s.text.text(operand.node)
    module = s.module_of(library)
    for other in others if len(others) == 1 and others[0].is_ranked and library != KERAS else ():
        is_sparse = s.kind is ClashKind.CROSS_ENTROPY and len(other.sizes) == 2 and len(sizes) == 2
        wanted = other.sizes[:1] if is_sparse else other.sizes
        inside = [str(size) for size in wanted[1:] if isinstance(size, int)]
        is_whole = _product(sizes) == wanted[0] if is_sparse else _product(sizes[1:]) == _product(wanted[1:])
        if len(wanted) != len(sizes) and is_whole and len(inside) == len(wanted) - 1:
            shape = ", ".join(["-1", *inside])
            made = f"{_in_brackets(text, operand.node)}.reshape({shape})"
            whole = made if library in _WITH_METHODS else f"{module}.reshape({text}, [{shape}])"
            if library in _WITH_METHODS or module:
                yield _Form(_FLAT, 3, whole, wanted if is_sparse else (sizes[0], *wanted[1:]))


def _with_new_axis(s: Situation, node: ast.expr, library: str, module: str, sizes: Sizes) -> Iterator[_Form]:
    if s.call.step.name == AVERAGE:
        return  # a loss that is reduced already would be divided again
    base, new, rank = _in_brackets(s.text.text(node), node), f"{module}.newaxis" if module else "None", len(sizes)
    is_sample = rank == 1 and ".Dense" in s.call.step.name and callee(s.node) not in _FITTING
    for weight, at in ((1 - 2 * is_sample, 0), (0, rank), *((2, at) for at in range(1, rank))):
        if rank or not at:
            inside = f"..., {new}" if at == rank and rank else ", ".join([*[":"] * at, new])
            text = f"{base}.unsqueeze({at})" if library == TORCH else f"{base}[{inside}]"
            if weight or rank:
                yield _Form(_MORE, weight, _position_kept(s, node, at) or text, (*sizes[:at], 1, *sizes[at:]))


def _position_kept(s: Situation, node: ast.expr, at: int) -> str:
    """Return a part that keeps an axis of which it takes one position; "" if the axis is not there."""
    match node:
        case ast.Subscript(value=value, slice=ast.Tuple(elts=items)):
            number = s.text.number(items[at]) if at < len(items) else None
            if number is not None and all(isinstance(item, ast.Slice) for item in items if item is not items[at]):
                part = f"{number}:" if number == -1 else f"{number}:{number + 1}"
                index = [part if item is items[at] else s.text.text(item) for item in items]
                return f"{s.text.text(value)}[{', '.join(index)}]"
    return ""


def _without_axis(text: str, node: ast.expr, library: str, module: str, sizes: Sizes) -> Iterator[_Form]:
    for at in reversed(range(len(sizes))):
        if sizes[at] == 1:
            axis = -1 if at == len(sizes) - 1 else at
            picked = f"{_in_brackets(text, node)}[{', '.join([*[':'] * at, '0'])}]"
            if library == TORCH:
                picked = f"{_in_brackets(text, node)}.squeeze({at})"
            less = (*sizes[:at], *sizes[at + 1 :])
            yield _Form(_LESS, 0, f"{module}.squeeze({text}, axis={axis})" if module else picked, less)


def _in_other_order(
    s: Situation, text: str, node: ast.expr, library: str, module: str, sizes: Sizes
) -> Iterator[_Form]:
    rank = len(sizes)
    straight = not_transposed(s, node) if rank == 2 else ""
    if straight:
        yield _Form(_ORDER, 2, straight, sizes[::-1])
    elif rank == 2 and library in _WITH_METHODS:
        yield _Form(_ORDER, 2, _transposed(s, node), sizes[::-1])
    elif rank == 2 and module:
        yield _Form(_ORDER, 2, f"{module}.transpose({text})", sizes[::-1])
    orders = _orders(rank) if rank >= 3 and (module or library == TORCH) and not s.is_of_maps else ()
    for order in sorted(orders, key=lambda order: s.kind is ClashKind.AXIS and order[0] != 0):
        method = f"{_in_brackets(text, node)}.permute({', '.join(map(str, order))})"
        if order[:-2] == tuple(range(rank - 2)):
            method = f"{_in_brackets(text, node)}.transpose({rank - 2}, {rank - 1})"
        whole = method if library == TORCH else f"{module}.transpose({text}, {order})"
        yield _Form(_ORDER, 4, whole, tuple(sizes[at] for at in order))


def not_transposed(s: Situation, node: ast.expr) -> str:
    """Return the text of a transposed matrix without its transposition, also where it is scaled; "" for another one."""
    match node:
        case ast.Attribute(attr="T" | "mT", value=inner):
            return s.text.text(inner)
        case ast.Call(func=ast.Attribute(attr="transpose" | "t", value=owner), args=args, keywords=[]):
            given = args if s.text.is_module(owner) else [owner, *args]
            return s.text.text(given[0]) if len(given) == 1 else ""
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div(), right=right):
            scale, straight = s.text.shape(right), not_transposed(s, left)
            is_number = s.text.number(right) is not None or (scale is not None and scale.rank == 0)
            between = s.text.source.code[s.text.span(left)[1] : s.text.span(node)[1]]
            return f"{straight}{between}" if straight and is_number else ""
    return ""


def _transposed(s: Situation, node: ast.expr) -> str:
    """Return a matrix transposed; of one that is scaled from the left, the matrix itself."""
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=ast.Name() as matrix) if s.text.shape(left) is None:
            return f"{s.text.source.code[s.text.span(node)[0] : s.text.span(matrix)[0]]}{matrix.id}.T"
    return f"{_in_brackets(s.text.text(node), node)}.T"


def _orders(rank: int) -> Iterator[tuple[int, ...]]:
    """Yield the orders of axes that move channels to the end or the beginning of a picture, or exchange two axes."""
    axes = tuple(range(rank))
    yield (*axes[:-3], axes[-2], axes[-1], axes[-3])
    yield (*axes[:-3], axes[-1], axes[-3], axes[-2])
    yield (*axes[:-2], axes[-1], axes[-2])


def _product(sizes: Sequence[Size]) -> Size:
    result: Size = 1
    for size in sizes:
        result = result * size
    return result


def _in_brackets(text: str, node: ast.expr) -> str:
    """Return a text to which a subscript or attribute can be added."""
    is_plain = isinstance(node, (ast.Name, ast.Call, ast.Attribute, ast.Subscript))
    return text if is_plain else f"({text})"


# --- other calls that rearrange --------------------------------------------------------------------------------------


def batch_kept_first(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a transposition exchanges the other axes of a batch."""
    node = s.node
    if isinstance(node, ast.Call) and callee(node) == "transpose" and len(node.args) == 1 and not node.keywords:
        rank = next((operand.argument.rank for operand in s.operands), None)
        for order in {3: ((0, 2, 1),), 4: ((0, 3, 1, 2), (0, 2, 3, 1))}.get(rank or 0, ()):
            yield s.inserted(0, s.text.span(node.args[0])[1], f", {order}")


def order_of_batch(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an order of the axes of one sample is that of a batch."""
    shape = next((argument.shape for argument in s.call.arguments), None)
    if not isinstance(s.node, ast.Call) or callee(s.node) not in ("transpose", "permute") or shape is None:
        return
    given = [node.elts for node in s.text.parts(s.node) if isinstance(node, (ast.List, ast.Tuple))]
    for items in (s.node.args, *given):
        order = [number for item in items if (number := s.text.number(item)) is not None]
        is_order = bool(order) and sorted(order) == list(range(len(items)))
        if is_order and shape.rank == len(order) + 1 and shape.sizes[0] != 1:
            start, end = s.text.span(items[0])[0], s.text.span(items[-1])[1]
            yield s.replaced_text(0, start, end, ", ".join(map(str, (0, *(number + 1 for number in order)))))


def unwrapped(s: Situation) -> Iterator[Candidate]:
    """Yield programs without one of the calls that rearrange a value."""
    for distance, site in enumerate(s.sites[:_NEAR]):
        for node in s.text.parts(site.node):
            inner = _unwrapped(s, node)
            if node is s.node and s.kind is ClashKind.RANK:
                continue
            if isinstance(node, ast.expr) and inner is not None and _may_replace(s, node, inner):
                line = s.text.line_that_only_binds(node, inner)
                text = _in_brackets(s.text.text(inner), inner)
                yield s.removed(distance, *line) if line else s.candidate(distance, node, text)


def _unwrapped(s: Situation, node: ast.AST) -> ast.expr | None:
    """Return the value that a call rearranges."""
    match node:
        case ast.Attribute(attr="T", value=owner):
            return owner
        case ast.Call(func=ast.Attribute(attr=name, value=owner), args=args) if name in _REARRANGING:
            return (args[0] if args else None) if s.text.is_module(owner) else owner
        case ast.Subscript(value=owner, slice=index, ctx=ast.Load()) if _adds_axis(index):
            return owner
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _REARRANGING:
            return first
    return None


def _adds_axis(index: ast.expr) -> bool:
    """Return whether an index does nothing but add axes of size 1."""
    items = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(map(is_new_axis, items)) and all(is_new_axis(item) or _is_whole(item) for item in items)


def _is_whole(item: ast.expr) -> bool:
    """Return whether an index takes all of an axis, or of several."""
    if isinstance(item, ast.Slice):
        return item.lower is item.upper is item.step is None
    return isinstance(item, ast.Constant) and item.value is Ellipsis


def is_new_axis(item: ast.expr) -> bool:
    """Return whether an index adds an axis of size 1."""
    is_none = isinstance(item, ast.Constant) and item.value is None
    return is_none or (isinstance(item, ast.Attribute) and item.attr == "newaxis")


def _makes(s: Situation, node: ast.AST, operand: OperandText) -> bool:
    """Return whether an expression gives the value that an operand is."""
    value, mine = s.text.value(node) if isinstance(node, ast.expr) else None, operand.argument.tensor
    return isinstance(value, Tensor) and value.step == mine.step != 0 and value.output == mine.output


def _may_replace(s: Situation, node: ast.AST, inner: ast.expr) -> bool:
    """Return whether a value may take the place of an operand; what an operand is made from may be anything."""
    operand = next((operand for operand in s.operands if operand.node is node or _makes(s, node, operand)), None)
    shape = s.text.shape(inner)
    if operand is None and s.kind in _STRETCHING | _ALIKE and not isinstance(node, ast.Subscript):
        return s.kind is ClashKind.CROSS_ENTROPY
    return operand is None or (shape is not None and shape.is_ranked and promises(s, operand, shape.sizes))
