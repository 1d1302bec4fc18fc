"""Repairs that set an option of a call."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Edit
from shapecheck.models.lang.packs import FUNCTIONAL
from shapecheck.repairs.axes import not_transposed
from shapecheck.repairs.situation import Candidate, Situation, callee
from shapecheck.shapes.shape import Shape

_REDUCTIONS = ("sum", "mean", "max", "min", "std", "var", "median", "norm", "logsumexp", "any", "all")
_REDUCING = frozenset((*_REDUCTIONS, *(f"reduce_{name}" for name in _REDUCTIONS)))
_NORMS = ("sum", "reduce_sum", "norm", "vector_norm", "reduce_euclidean_norm")
_ALONG_AN_AXIS = frozenset(
    (
        *_REDUCING,
        *("argmax", "argmin", "concat", "concatenate", "cat", "stack", "Concatenate", "append", "insert", "delete"),
        *("softmax", "Softmax", "squeeze", "expand_dims", "split", "unstack", "cumsum", "gather", "take", "repeat"),
        *("interp1d", "average", "BatchNormalization", "l2_normalize", "normalize"),
    )
)
_AXIS_FIRST = {*_REDUCING, "argmax", "argmin", "softmax", "squeeze", "cumsum"} - {"norm"}
_WINDOWS = frozenset(
    (
        *(f"{kind}{n}D" for n in (1, 2, 3) for kind in ("Conv", "MaxPooling", "AveragePooling", "MaxPool", "AvgPool")),
        *("Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose", "SeparableConv1D", "SeparableConv2D"),
        *("DepthwiseConv2D", "conv1d", "conv2d", "conv3d", "max_pool", "avg_pool", "max_pool2d", "avg_pool2d"),
    )
)
_RECURRENT = ("LSTM", "GRU", "SimpleRNN", "ConvLSTM2D", "RNN")
_LOSSES = (
    *("BinaryCrossentropy", "CategoricalCrossentropy", "SparseCategoricalCrossentropy"),
    *("binary_crossentropy", "categorical_crossentropy", "sparse_categorical_crossentropy"),
)
_COMPARING = (ClashKind.CROSS_ENTROPY, ClashKind.TARGETS_STRETCHED, ClashKind.LOSS_STRETCHED, ClashKind.BROADCAST)
_OTHER_MODES = {"categorical": "sparse", "sparse": "categorical", "binary": "categorical"}
_NEAR = 3
_OTHER = 3
_CHOSEN = 16  # an axis that the author has written
_WHOLE = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
_FILTERS = ("convolve", "correlate", "fftconvolve")
_PADDINGS = ("same", "valid", "SAME", "VALID")
_JOINING = ("concat", "concatenate", "cat", "Concatenate", "stack", "append")


def _calls(s: Situation, most: int = 99) -> Iterator[tuple[int, ast.Call]]:
    """Yield the calls on the way to the clash, each with its distance."""
    seen: set[ast.Call] = set()
    for distance, site in enumerate(s.sites[:most]):
        for node in s.text.parts(site.node):
            if isinstance(node, ast.Call) and node not in seen:
                seen.add(node)
                yield distance, node


def _given(call: ast.Call, keyword: str) -> ast.expr | None:
    return next((each.value for each in call.keywords if each.arg == keyword), None)


def padding_kept(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a window does not make its input smaller, and those in which none of its kind does."""
    by_kind: dict[str, list[Edit]] = {}
    if s.kind is ClashKind.FEED or _differ_in_columns(s):
        return
    for distance, call in _calls(s):
        given = _given(call, "padding")
        is_valid = given is None or s.text.text(given).strip("'\"").lower() == "valid"
        if callee(call) in _FILTERS and s.kind in (ClashKind.AXIS, ClashKind.BROADCAST):
            yield from _same_length(s, call, distance)
        if callee(call) in _WINDOWS and is_valid and not any(map(_is_padding, call.args)):
            is_upper = given is not None and s.text.text(given).strip("'\"").isupper()
            padded = s.with_keyword(distance, call, "padding", '"SAME"' if is_upper else '"same"')
            yield padded
            by_kind.setdefault(callee(call), []).extend(padded.edits)
    for edits in by_kind.values():
        if len(edits) > 1:
            yield Candidate(0, tuple(edits))


def _is_padding(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in _PADDINGS


def _same_length(s: Situation, call: ast.Call, weight: int) -> Iterator[Candidate]:
    """Yield a filter that gives as many values as it gets."""
    mode = call.args[2] if len(call.args) > 2 else _given(call, "mode")
    if mode is None:
        yield s.with_keyword(weight, call, "mode", '"same"')
    elif isinstance(mode, ast.Constant) and mode.value in ("valid", "full"):
        quote = s.text.text(mode)[0]
        yield s.candidate(weight, mode, f"{quote}same{quote}")


def _differ_in_columns(s: Situation) -> bool:
    """Return whether all that differs are the columns of two tables, which no window makes fewer."""
    shapes = [argument.shape for argument in s.call.arguments if argument.shape.is_ranked]
    columns = {shape.sizes[-1] for shape in shapes if shape.rank == 2}
    return s.kind in _COMPARING and bool(s.unequal) and all(a in columns or b in columns for a, b in s.unequal)


def sequences_returned(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a recurrent layer returns all steps, or the last one only."""
    layers = [(distance, call) for distance, call in _calls(s) if callee(call) in _RECURRENT and not s.is_of_torch]
    if s.kind is ClashKind.CROSS_ENTROPY:  # the labels tell that it is one of these layers
        layers = [(at, call) for at, (_, call) in enumerate(layers)]
    for distance, call in layers:
        given = _given(call, "return_sequences")
        if given is not None and s.text.text(given) == "True":
            yield s.without_keyword(distance, call, "return_sequences")
        else:
            yield s.with_keyword(distance, call, "return_sequences", "True")


def pooled(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a published network without its head pools its maps."""
    for distance, call in _calls(s):
        if _given(call, "include_top") is not None and _given(call, "pooling") is None:
            yield s.with_keyword(distance, call, "pooling", '"avg"')


def axes_kept(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a reduction keeps its axis."""
    for distance, call in _calls(s, _NEAR):
        along = _given(call, "axis") or _given(call, "dim")
        has_axis = along is not None or len(call.args) > 1 or _is_method_with_axis(s, call)
        if callee(call) in _REDUCING and not (_given(call, "keepdims") or _given(call, "keepdim")) and has_axis:
            distance += _OTHER if _stretches_other(s, call, along) else 0
            yield s.with_keyword(distance, call, "keepdim" if s.is_of_torch else "keepdims", "True")
    edits = [edit for call in _reductions(s) for edit in s.with_keyword(0, call, "keepdims", "True").edits]
    if len(edits) > 1:
        yield Candidate(3, tuple(edits))


def rows_summed(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a sum of everything is one along all axes but the first."""
    for distance, call in _calls(s):
        given = [*call.args, *([call.func.value] if isinstance(call.func, ast.Attribute) else [])]
        shape = s.text.shape(given[0]) if given else None
        if callee(call) in ("sum", "reduce_sum") and len(call.args) < 2 and not call.keywords and shape is not None:
            axes = "-1" if shape.rank == 2 else f"{tuple(range(1, shape.rank or 0))}"
            yield s.with_keyword(distance, call, "dim" if s.is_of_torch else "axis", axes)


def norm_of_sample(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a norm is along all axes but the first; `tf.norm` takes two of them at most."""
    for distance, call in _calls(s):
        operands = [*call.args, *([call.func.value] if isinstance(call.func, ast.Attribute) else [])]
        shape = next((shape for each in operands if (shape := s.text.shape(each)) is not None and shape.rank), None)
        rank = (shape.rank or 0) if shape is not None else 0
        if callee(call) not in _NORMS or rank < 2 or (callee(call) == "norm" and rank > 3 and not s.is_of_torch):
            continue
        axes = f"{list(range(1, rank))}" if rank > 2 else "1"
        given = next((found for name in ("axis", "reduction_indices", "dim") if (found := _given(call, name))), None)
        name = "dim" if s.is_of_torch else "axis"
        yield s.with_keyword(distance, call, name, axes) if given is None else s.candidate(distance, given, axes)


def sides_exchanged(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a picture is resized to a width and a height in the other order."""
    given = [*s.node.args, *(each.value for each in s.node.keywords)] if isinstance(s.node, ast.Call) else []
    for node in given:
        match node:
            case ast.Tuple(elts=[first, second]) | ast.List(elts=[first, second]):
                first_text, second_text = s.text.text(first), s.text.text(second)
                yield Candidate(0, (s.text.replaced(first, second_text), s.text.replaced(second, first_text)))
            case ast.Subscript(value=ast.Attribute(attr="shape")):
                yield s.followed(0, node, "[::-1]")


def axis_of_other_reduction(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which one of two reductions that meet is along the axis of the other one."""
    near = [(at, _given(call, "axis"), call) for at, call in _calls(s, _NEAR) if callee(call) in _REDUCING]
    axes = [(at, axis, s.text.number(axis)) for at, axis, _ in near if axis is not None]
    for at, axis, number in axes:
        others = {other for _, _, other in axes} - {number, None}
        yield from (s.candidate(at - 1, axis, str(other)) for other in others if number is not None)


def _stretches_other(s: Situation, call: ast.Call, along: ast.expr | None) -> bool:
    """Return whether a vector that a reduction gives meets another vector, so that it would make a table with it."""
    shapes = [argument.shape for argument in s.call.arguments]
    is_last = along is not None and s.text.number(along) not in (None, 0)
    vector = s.text.shape(call)
    is_operand = vector is not None and vector.rank == 1 and vector in shapes
    return s.kind is ClashKind.BROADCAST and is_last and is_operand and all(shape.rank == 1 for shape in shapes)


def _reductions(s: Situation) -> Iterator[ast.Call]:
    """Yield the reductions along the axis of one on the way to the clash, in the same function."""
    given = [_given(call, "axis") for _, call in _calls(s, _NEAR) if callee(call) in _REDUCING]
    near = {s.text.text(axis) for axis in given if axis is not None}
    around = next(s.text.functions_around(s.node), s.text.tree) if s.node is not None else s.text.tree
    for node in s.text.parts(around):
        if isinstance(node, ast.Call) and callee(node) in _REDUCING and _given(node, "keepdims") is None:
            axis = _given(node, "axis")
            if axis is not None and s.text.text(axis) in near:
                yield node


def axes_dropped(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a reduction does not keep the axes."""
    for distance, call in _calls(s):
        given = _given(call, "keepdims")
        if callee(call) in _REDUCING and given is not None and s.text.text(given) == "True":
            yield s.without_keyword(distance, call, "keepdims")


def columns_as_variables(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a covariance is that of the columns of a table."""
    for distance, call in _calls(s):
        if callee(call) in ("cov", "corrcoef") and _given(call, "rowvar") is None and len(call.args) == 1:
            yield s.with_keyword(distance, call, "rowvar", "False")


def _is_method_with_axis(s: Situation, call: ast.Call) -> bool:
    """Return whether a call is like `x.sum(1)`."""
    return isinstance(call.func, ast.Attribute) and not s.text.is_module(call.func.value) and bool(call.args)


def _takes_only_axis(s: Situation, call: ast.Call) -> bool:
    """Return whether the first argument of a call is an axis, as in `x.squeeze(1)`."""
    return _is_method_with_axis(s, call) and callee(call) in _AXIS_FIRST


def axis_changed(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an operation works along another axis."""
    for distance, call in _calls(s, _NEAR):
        if s.kind is ClashKind.AXIS_RANGE and callee(call) in _REDUCING:
            continue  # which axis is meant, only the author knows
        if s.kind is ClashKind.AXIS_RANGE and callee(call) in _JOINING:
            yield from _last_by_default(s, call)
        if callee(call) in _ALONG_AN_AXIS:
            given = _given(call, "axis") or _given(call, "dim")
            last = call.args[-1] if len(call.args) > 1 or _takes_only_axis(s, call) else None
            if given is None and last is not None and s.text.number(last) is not None:
                given = last
            if call is not s.node and callee(call) in _JOINING:
                distance += _OTHER if given is None else _CHOSEN
            for weight, value in enumerate(("-1", "1", "0")):
                if not _may_work_along(s, call, given, int(value)):
                    continue
                if given is not None and s.text.number(given) not in (int(value), None):
                    yield s.candidate(2 * distance + weight, given, value)
                elif given is None:
                    yield s.with_keyword(2 * distance + weight, call, "dim" if s.is_of_torch else "axis", value)


def joined_along_last(s: Situation) -> Iterator[Candidate]:
    """Yield programs that join tables side by side, where joined one below the other they have columns for one of
    them only."""
    for distance, call in _calls(s):
        given, parts = _given(call, "axis") or _given(call, "dim"), call.args[0] if call.args else None
        joined = parts.elts if isinstance(parts, ast.List | ast.Tuple) and callee(call) in _JOINING else []
        is_part = any(len(joined) * min(pair) == max(pair) for pair in s.unequal)
        if given is not None and is_part and s.text.number(given) not in (None, -1) and callee(call) != "stack":
            yield s.candidate(distance, given, "-1")


def other_axis_reduced(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a reduction of a batch of sequences leaves the columns that are wanted, which are another
    axis of the sequences."""
    for _, call in _calls(s):
        given = _given(call, "axis") or _given(call, "dim")
        if callee(call) not in _REDUCING or given is None or s.text.number(given) not in (2, -1):
            continue
        reduced = call.args[0] if call.args and call.args[0] is not given else call.func
        match s.text.shape(reduced), s.text.shape(call):
            case Shape(head=(first, _, last), tail=None), Shape(head=(rows, columns), tail=None) if rows == first:
                if (columns, last) in s.unequal or (last, columns) in s.unequal:
                    yield s.candidate(0, given, "1")


def _last_by_default(s: Situation, call: ast.Call) -> Iterator[Candidate]:
    """Yield programs in which the default of a parameter, along which a call joins, is the last axis that there is."""
    given = _given(call, "axis") or _given(call, "dim")
    default = s.text.definition(given) if isinstance(given, ast.Name) else None
    rank = next((argument.rank for argument in s.call.arguments), None)
    if isinstance(default, ast.Constant) and s.text.number(default) == rank and rank:
        yield s.candidate(-1, default, str(rank - 1))


def mask_reduced_otherwise(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a mask is made along another axis of a table, of which it then picks columns, or rows."""
    if "the mask is for" in s.call.clash.message:
        yield from (Candidate(-1, each.edits) for each in axis_changed(s))


def axes_of_dot_changed(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a layer multiplies two inputs along axes of the same size, the last ones first."""
    shapes = [argument.shape for argument in s.call.arguments if argument.shape.is_ranked]
    pairs: list[tuple[int, int]] = []
    if len(shapes) == 2 and (".Dot" in s.call.step.name or callee(s.node) == "dot"):
        first, second = (list(range(len(shape.sizes) - 1, 0, -1)) for shape in shapes)
        fitting = ((a, b) for a in first for b in second if shapes[0].sizes[a] == shapes[1].sizes[b])
        pairs = sorted(fitting, key=lambda pair: pair[0] != pair[1])
    for node in s.text.nodes if pairs else ():
        given = _given(node, "axes") if isinstance(node, ast.Call) and callee(node) in ("Dot", "dot") else None
        for weight, (a, b) in enumerate(pairs if given is not None else ()):
            text = str(a) if a == b else f"({a}, {b})"
            if given is not None and text != s.text.text(given):
                yield s.candidate(weight, given, text)


def parts_joined(s: Situation) -> Iterator[Candidate]:
    """Yield programs that join arrays of different length along an axis instead of stacking them."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="stack", value=module) as function):
            is_tensorflow = s.text.text(module) == s.tensorflow
            name = "concat" if is_tensorflow else "cat" if s.is_of_torch else "concatenate"
            yield s.candidate(0, function, f"{s.text.text(module)}.{name}")


def _may_work_along(s: Situation, call: ast.Call, given: ast.expr | None, axis: int) -> bool:
    """Return whether an operation may be possible along another axis, and the failing one with these operands."""
    name, now = callee(call), s.text.number(given) if given is not None else None
    now = 0 if given is None and name in _JOINING else now
    shapes = [argument.shape for argument in s.call.arguments if argument.shape.is_ranked]
    rank = _rank_along(s, call) if call is not s.node else len(shapes[0].sizes) if shapes else 0
    if name != "expand_dims" and now is not None and -rank <= now < rank and (now - axis) % rank == 0:
        return False
    if call is not s.node or not -rank <= axis < rank or len(shapes) < len(s.call.arguments) or name == "expand_dims":
        return True
    if name == "squeeze":
        return all(shape.sizes[axis] == 1 or not isinstance(shape.sizes[axis], int) for shape in shapes)
    if name not in _JOINING:
        return True
    return name != "stack" and all(len(shape.sizes) == rank for shape in shapes) and _agree_beside(shapes, axis % rank)


def _rank_along(s: Situation, call: ast.Call) -> int:
    """Return the rank of what a call works on, or that of what it joins; 0 if it is not known."""
    joined = call.args[0] if call.args else call.func
    first = joined.elts[0] if isinstance(joined, (ast.List, ast.Tuple)) and joined.elts else joined
    of_method = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    ranks = (s.text.shape(node) for node in (first, of_method))
    return next((len(shape.sizes) for shape in ranks if shape is not None and shape.is_ranked), 0)


def _agree_beside(shapes: Sequence[Shape], axis: int) -> bool:
    """Return whether shapes of one rank may be equal but for one axis."""
    others = zip(*(shape.sizes[:axis] + shape.sizes[axis + 1 :] for shape in shapes), strict=True)
    return all(len({size for size in sizes if isinstance(size, int)}) <= 1 for sizes in others)


def axes_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which several axes are fewer: those that the operand has."""
    for _, call in _calls(s, 1):
        given = _given(call, "axis") or (call.args[1] if len(call.args) > 1 else None)
        if isinstance(given, (ast.List, ast.Tuple)):
            rank = min((operand.argument.rank for operand in s.operands if operand.argument.rank), default=0)
            kept = [
                axis for axis in given.elts if (number := s.text.number(axis)) is not None and -rank <= number < rank
            ]
            if 0 < len(kept) < len(given.elts):
                inside = ", ".join(s.text.text(axis) for axis in kept)
                yield s.candidate(0, given, s.text.text(kept[0]) if len(kept) == 1 else f"[{inside}]")


def factor_transposed(s: Situation) -> Iterator[Candidate]:
    """Yield products in which one factor is transposed, or no longer transposed."""
    match s.node:
        case ast.BinOp(left=left, op=ast.MatMult(), right=right) if s.module_of(FUNCTIONAL):
            for weight, factor in enumerate((right, left)):
                if isinstance(factor, _WHOLE) and _meet(s, -1 - weight):
                    yield s.candidate(weight, factor, not_transposed(s, factor) or f"{s.text.text(factor)}.T")
    if not isinstance(s.node, ast.Call) or callee(s.node) != "matmul" or not s.tensorflow:
        return
    for weight, keyword in enumerate(("transpose_b", "transpose_a")):
        if _given(s.node, keyword) is not None:
            yield s.without_keyword(weight, s.node, keyword)
        elif _meet(s, -1 - weight):
            yield s.with_keyword(weight, s.node, keyword, "True")


def _meet(s: Situation, axis: int) -> bool:
    """Return whether two factors of the same rank certainly have the same size on an axis."""
    shapes = [argument.shape for argument in s.call.arguments]
    if len(shapes) != 2 or not all(shape.is_ranked for shape in shapes):
        return False
    first, second = shapes[0].sizes, shapes[1].sizes
    return len(first) == len(second) >= 2 and s.call.always(first[axis], second[axis])


def vectors_stacked(s: Situation) -> Iterator[Candidate]:
    """Yield programs that stack vectors instead of joining them along an axis that they do not have."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="concat" | "concatenate", value=module) as function) if all(
            argument.rank == 1 for argument in s.call.arguments
        ):
            yield s.candidate(0, function, f"{s.text.text(module)}.stack")


def rows_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the shape of one input is not that of all samples."""
    for node in s.text.nodes:
        match node:
            case ast.keyword(arg="input_shape" | "shape", value=ast.Attribute(attr="shape") as shape):
                yield s.candidate(0, shape, f"{s.text.text(shape)}[1:]")


def logits_declared(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a loss is told whether it gets logits."""
    for node in s.text.nodes:
        if isinstance(node, ast.Call) and callee(node) in _LOSSES:
            given = _given(node, "from_logits")
            if given is not None and s.text.text(given) == "True":
                yield s.without_keyword(0, node, "from_logits")
            else:
                yield s.with_keyword(0, node, "from_logits", "True")


def classes_encoded(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which readers give labels of the other encoding. One for two classes is the likeliest mistake,
    where there are more."""
    by_mode: dict[str, list[Edit]] = {}
    for node in s.text.nodes:
        if isinstance(node, ast.Call):
            given, mode = _given(node, "one_hot"), _given(node, "class_mode")
            if given is not None and s.text.text(given) in ("True", "False"):
                yield s.candidate(0, given, str(s.text.text(given) == "False"))
            elif given is None and callee(node) == "read_data_sets":
                yield s.with_keyword(0, node, "one_hot", "True")
            if isinstance(mode, ast.Constant) and mode.value in _OTHER_MODES:
                quote = s.text.text(mode)[0]
                edit = s.text.replaced(mode, f"{quote}{_OTHER_MODES[mode.value]}{quote}")
                by_mode.setdefault(mode.value, []).append(edit)
    for name, edits in by_mode.items():
        yield Candidate(-3 if name == "binary" else 0, tuple(edits))
