"""Repairs that add a layer to a model."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from shapecheck.domain.values import Ref, Tensor
from shapecheck.findings import Edit
from shapecheck.repairs.situation import Candidate, Situation, callee
from shapecheck.shapes.size import Size

_SHAPES = ("shape", "input_shape")
_DECLARING = ("input_shape", "input_dim")
_MOST_AXES = 3
_TABLE = 2
_TWO_CLASSES = 2
_STEPS = 3  # axes of a batch of sequences
_MAPS = 5  # axes of a batch of sequences of maps
_MOST_APPLIED = 4  # layers of a decoder that are taken from a model
_SUBSCRIPTABLE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_SERIES = ("Conv1D", "LSTM", "GRU", "SimpleRNN")


def layer_added(s: Situation) -> Iterator[Candidate]:
    """Yield programs with a layer that flattens before a dense one, where anything has more axes than a table."""
    if all(argument.rank is not None and argument.rank <= 2 for argument in s.call.arguments):
        return
    for distance, node in enumerate(node for node in s.text.nodes if isinstance(node, ast.Call)):
        if callee(node) == "Dense":
            yield from _before(s, node, distance)


def maps_flattened(s: Situation) -> Iterator[Candidate]:
    """Yield programs that flatten maps before they are joined with the columns of a table."""
    ranks = [argument.rank for argument in s.call.arguments]
    if callee(s.node).lower() == "concatenate" or (callee(s.node) == "" and ".Concatenate" in s.call.step.name):
        for operand in s.operands if _TABLE in ranks else ():
            layers = (node for node in s.text.nodes if isinstance(node, ast.Call) and callee(node) == "Dense")
            made = next((_spelled(s, layer, "Flatten") for layer in layers), "")
            if made and (operand.argument.rank or 0) > _TABLE:
                yield s.candidate(0, operand.node, f"{made}()({s.text.text(operand.node)})")


def layer_made_first(s: Situation) -> Iterator[Candidate]:
    """Yield programs that make a layer with its options, and then call it with a tensor."""
    match s.node:
        case ast.Call(func=ast.Call(), args=[ast.Name() as given, *_]) if made := s.text.first_value(given):
            names = [name for name in s.text.bound_before(made) if s.text.shape(name)]
            for weight, name in enumerate(reversed(names)):
                yield s.inserted(weight, s.text.span(made)[1], f"({name.id})")
        case ast.Call(func=ast.Name() | ast.Attribute() as layer, args=[given, *args], keywords=keywords):
            options = [*(s.text.text(each) for each in args), *(f"{k.arg}={s.text.text(k.value)}" for k in keywords)]
            yield s.candidate(0, s.node, f"{s.text.text(layer)}({', '.join(options)})({s.text.text(given)})")


def _before(s: Situation, layer: ast.Call, distance: int) -> Iterator[Candidate]:
    average = f"GlobalAveragePooling{(s.call.arguments[-1].rank or _STEPS) - 2}D"
    averaged = _spelled(s, layer, average) if _attends(s) else ""
    made = averaged or _spelled(s, layer, "Flatten") or _spelled(s, layer, average)
    if made:
        yield from _added(s, layer, made, distance)
    elif imported := [*_imported(s, layer, "Flatten")]:
        for added in _added(s, layer, "Flatten", distance):
            yield Candidate(added.weight, (*imported, *added.edits))


def _imported(s: Situation, layer: ast.Call, name: str) -> Iterator[Edit]:
    """Yield the edit that imports a layer class from where its neighbour is imported."""
    for node in s.text.nodes:
        for each in node.names if isinstance(node, ast.ImportFrom) else ():
            if isinstance(layer.func, ast.Name) and layer.func.id == (each.asname or each.name):
                yield s.text.inserted(s.text.span(each)[1], f", {name}")
                return


def _added(s: Situation, layer: ast.Call, made: str, distance: int) -> Iterator[Candidate]:
    """Yield programs with a layer before another one, which declares the input if that one did."""
    declared = {each.arg: s.text.text(each.value) for each in layer.keywords if each.arg in _DECLARING and layer.args}
    moved = tuple(edit for name in declared for edit in s.without_keyword(distance, layer, str(name)).edits)
    new = f"{made}(input_shape={declared['input_shape']})" if "input_shape" in declared else f"{made}()"
    for node in s.text.nodes:
        match node:
            case ast.Call(func=inner, args=[operand, *_]) if inner is layer:
                text = f"{made}()({s.text.text(operand)})"
                yield s.candidate(distance, operand, text)
            case ast.Call(func=ast.Attribute(attr="add", value=model), args=[added]) if added is layer:
                start = s.text.span(node)[0]
                row = s.text.source.position(start)[0]
                indent = s.text.source.line(row)[: start - s.text.source.line_starts[row - 1]]
                if not indent.strip():
                    line = s.text.inserted(start, f"{s.text.text(model)}.add({new})\n{indent}")
                    yield Candidate(distance, (line, *moved))
            case ast.List(elts=items) if layer in items:
                start = s.text.span(layer)[0]
                row = s.text.source.position(start)[0]
                indent = s.text.source.line(row)[: start - s.text.source.line_starts[row - 1]]
                gap = f"\n{indent}" if not indent.strip() else " "
                yield Candidate(distance, (s.text.inserted(start, f"{new},{gap}"), *moved))


def _attends(s: Situation) -> bool:
    """Return whether what a model gives has steps that attend to each other, whose order and number are left open."""
    given = s.call.arguments[-1]
    before = s.call.graph.ancestors([given.tensor.step])
    return given.rank == _STEPS and any("Attention" in step.name for step in before)


def _spelled(s: Situation, layer: ast.Call, name: str) -> str:
    """Return the name of a layer class, spelled as its neighbour is."""
    if isinstance(layer.func, ast.Attribute):
        return f"{s.text.text(layer.func.value)}.{name}"
    return next((alias for full, alias in s.text.aliases.items() if full.endswith(f".{name}")), "")


def shape_of_data(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a model is declared for the rows that it is fitted to."""
    rows = next((sizes for sizes in _fitted(s) if all(isinstance(size, int) for size in sizes[1:])), None)
    for node in s.text.nodes if rows is not None else ():
        for shape in declared_shapes(node):
            wanted = rows[1:] if rows is not None else ()
            if [s.text.number(size) for size in shape.elts] != list(wanted) and wanted:
                inside = ", ".join(_as_named(s, shape.elts, wanted))
                yield s.candidate(0, shape, f"({inside},)" if len(wanted) == 1 else f"({inside})")


def _as_named(s: Situation, sizes: Sequence[ast.expr], wanted: Sequence[Size]) -> Iterator[str]:
    """Yield sizes as the program has them in the same places, or as it measures the one before."""
    measured = ""
    for at, size in enumerate(wanted):
        text = s.text.text(sizes[at]) if at < len(sizes) and s.text.number(sizes[at]) == size else ""
        yield text or (f"{measured}.shape[{at + 1}]" if measured else str(size))
        if text == f"{text.partition('.')[0]}.shape[{at + 1}]":
            measured = text.partition(".")[0]


def _fitted(s: Situation) -> Iterator[tuple[Size, ...]]:
    """Yield the shapes of the arrays that models are fitted to, or predict from."""
    for node in s.text.nodes:
        if isinstance(node, ast.Call) and callee(node) in ("fit", "predict", "evaluate") and node.args:
            shape = s.text.shape(node.args[0])
            if shape is not None and shape.is_ranked:
                yield shape.sizes


def axis_declared(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the shape of an input, or of zeros to start from, has one more axis, of size 1."""
    for node in s.text.nodes:
        shapes = [*declared_shapes(node)]
        if isinstance(node, ast.Call) and callee(node) in ("zeros", "ones") and node.args:
            shapes += [node.args[0]] if isinstance(node.args[0], (ast.Tuple, ast.List)) else []
        for shape in shapes:
            if isinstance(shape, ast.Tuple) and not shape.elts:
                yield s.candidate(-6 if _declares_operand(s, node) else 0, shape, "(1,)")
            elif shape.elts and len(shape.elts) < _MOST_AXES:
                only, weight = s.text.text(shape.elts[0]), -6 if _declares_operand(s, node) else 0
                if isinstance(shape, ast.Tuple) and len(shape.elts) == 1:
                    yield s.candidate(weight, shape, f"({only}, 1)")
                else:
                    yield s.inserted(weight, s.text.span(shape.elts[-1])[1], ", 1")


def batch_undeclared(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the shape of an input has no axis of size 1 before those of a sample."""
    ranks = [argument.rank for argument in s.call.arguments]
    given, taken = ranks if len(ranks) == 2 else (None, None)
    for node in s.text.nodes if given is not None and given + 1 == taken else ():
        for shape in declared_shapes(node):
            rest = [s.text.text(size) for size in shape.elts[1:]]
            if rest and s.text.number(shape.elts[0]) == 1:
                yield s.candidate(0, shape, f"({rest[0]},)" if len(rest) == 1 else f"({', '.join(rest)})")


def _declares_operand(s: Situation, node: ast.AST) -> bool:
    """Return whether a call declares the input that is an operand itself."""
    value = s.text.value(node) if callee(node) == "Input" and isinstance(node, ast.expr) else None
    return isinstance(value, Tensor) and any(each.argument.tensor.step == value.step for each in s.operands)


def declared_shapes(node: ast.AST) -> Iterator[ast.Tuple | ast.List]:
    """Yield the shapes in which a call declares an input."""
    if isinstance(node, ast.Call):
        first = node.args[:1] if callee(node) == "Input" else []
        given = (*first, *(each.value for each in node.keywords if each.arg in _SHAPES))
        yield from (shape for shape in given if isinstance(shape, (ast.Tuple, ast.List)))


def activation_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the last dense layer gives probabilities."""
    layers = [node for node in s.text.nodes if isinstance(node, ast.Call) and callee(node) == "Dense"]
    for distance, node in enumerate(sorted(layers, key=s.text.span, reverse=True)):
        if not any(each.arg == "activation" for each in node.keywords) and len(node.args) < 2:
            units = s.text.number(node.args[0]) if node.args else None
            yield s.with_keyword(distance, node, "activation", '"sigmoid"' if units == 1 else '"softmax"')


def classes_scored(s: Situation) -> Iterator[Candidate]:
    """Yield programs whose last layer gives a score for each class of one-hot labels, not a single one."""
    shapes = [argument.shape for argument in s.call.arguments]
    if len(shapes) != 2 or not all(shape.is_ranked and shape.sizes for shape in shapes):
        return
    classes, given = shapes[0].sizes[-1], shapes[1].sizes[-1]
    layers = [node for node in s.text.nodes if callee(node) in ("Dense", "Conv2D") and isinstance(node, ast.Call)]
    last = max(
        (node for node in layers if node.args and s.text.number(node.args[0]) == 1), key=s.text.span, default=None
    )
    is_categorical = "categorical" in s.text.source.code.lower()
    if last is None or given != 1 or not is_categorical or not isinstance(classes, int) or classes == 1:
        return
    names = (name for name in s.text.visible_from(last) if s.text.number(name) == classes)
    name = next(names, None)
    edits = [s.text.replaced(last.args[0], str(classes) if name is None else s.text.text(name))]
    given_names = (each.value for each in last.keywords if each.arg == "activation")
    sigmoids = [each for each in given_names if s.text.text(each).strip("'\"") == "sigmoid"]
    edits += [s.text.replaced(each, s.text.text(each).replace("sigmoid", "softmax")) for each in sigmoids]
    yield Candidate(0, tuple(edits))


def one_score_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs whose last layer gives one score for labels of two classes, as their loss takes it."""
    shapes = [argument.shape for argument in s.call.arguments]
    columns = [shape.size(-1) for shape in shapes if shape.rank == _TABLE]
    layers = [node for node in s.text.nodes if isinstance(node, ast.Call) and callee(node) == "Dense" and node.args]
    last = max(layers, key=s.text.span, default=None)
    is_binary = "binary_crossentropy" in s.text.source.code or "BinaryCrossentropy" in s.text.source.code
    if last is not None and is_binary and columns == [1, _TWO_CLASSES] and s.text.number(last.args[0]) == _TWO_CLASSES:
        yield s.candidate(0, last.args[0], "1")


def shortcut_projected(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the shortcut of a block has as many channels as its other path."""
    maps = [each for each in s.operands if each.argument.rank == 4][:2]
    if len(maps) != 2 or ".Add" not in s.call.step.name or not isinstance(s.node, ast.Call):
        return
    made = (site.node for site in s.sites if isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Call))
    convolution = next((each.func for each in made if callee(each.func) == "Conv2D"), None)
    earlier = min(maps, key=lambda each: each.argument.tensor.step)
    later = maps[1] if earlier is maps[0] else maps[0]
    sizes, wanted = earlier.argument.shape.sizes, later.argument.shape.sizes
    if isinstance(convolution, ast.Call) and convolution.args and sizes[1:3] == wanted[1:3]:
        layer = f'{s.text.text(convolution.func)}({s.text.text(convolution.args[0])}, 1, padding="same")'
        yield s.candidate(0, earlier.node, f"{layer}({s.text.text(earlier.node)})")


def steps_kept(s: Situation) -> Iterator[Candidate]:
    """Yield programs that flatten the maps of each step, not those of all steps, before a recurrent layer."""
    for node in s.text.nodes:
        if isinstance(node, ast.Call) and callee(node) == "Flatten" and not node.args and not node.keywords:
            made = _spelled(s, node, "TimeDistributed")
            if made and "not 3" in s.call.clash.message:
                yield s.candidate(0, node, f"{made}({s.text.text(node)})")


def steps_flattened(s: Situation) -> Iterator[Candidate]:
    """Yield programs that flatten the maps of each step before a recurrent layer."""
    rank = next((argument.rank for argument in s.call.arguments), None)
    match s.node:
        case ast.Call(func=ast.Attribute(attr="add", value=model), args=[ast.Call() as layer]) if rank == _MAPS:
            each, flat = _spelled(s, layer, "TimeDistributed"), _spelled(s, layer, "Flatten")
            start = s.text.span(s.node)[0]
            row = s.text.source.position(start)[0]
            indent = s.text.source.line(row)[: start - s.text.source.line_starts[row - 1]]
            if each and flat and not indent.strip():
                yield s.inserted(0, start, f"{s.text.text(model)}.add({each}({flat}()))\n{indent}")


def series_given_channel(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the rows of a table are series with one number in each step, and a layer is declared for
    one of them, not for all."""
    module = s.text.numpy
    for node in s.text.nodes if module else ():
        match node:
            case ast.Call(keywords=keywords) if callee(node).startswith(_SERIES):
                for given in keywords:
                    match given.value:
                        case ast.Attribute(attr="shape", value=ast.Name() as data) if given.arg == "input_shape":
                            edits = [s.text.inserted(s.text.span(given.value)[1], "[1:]")]
                            edits += _with_channel(s, data, module or "")
                            if len(edits) > 1:
                                yield Candidate(0, tuple(edits))


def _with_channel(s: Situation, data: ast.Name, module: str) -> Iterator[Edit]:
    """Yield the edits that give the tables of a program which are like one of rank 2, and go into a model, a last axis
    where they are bound."""
    shape = s.text.shape(data)
    if shape is None or shape.rank != 2:
        return
    names = {data.id: data}
    for node in s.text.nodes:
        match node:
            case ast.Call(args=[ast.Name() as given, *_]) if callee(node) in ("fit", "predict", "evaluate"):
                other = s.text.shape(given)
                if other is not None and other.is_ranked and other.sizes[1:] == shape.sizes[1:]:
                    names.setdefault(given.id, given)
    for name in names.values():
        bound = s.text.line_of_binding(name)
        if bound is not None:
            yield s.text.inserted(bound[0], f"\n{bound[1]}{name.id} = {name.id}[..., {module}.newaxis]")


def channel_given_where_mapped(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the function that a data set is mapped with gives each of its pictures a channel."""
    mapped = [node for node in s.text.nodes if isinstance(node, ast.Call) and callee(node) == "map"]
    names = {each.id for node in mapped for each in s.text.parts(node) if isinstance(each, ast.Name)}
    for name in sorted(names & s.text.functions.keys()) if s.tensorflow else ():
        for node in s.text.parts(s.text.functions[name]):
            for value in _pictures(s, node):
                yield s.followed(0, value, f"[..., {s.tensorflow}.newaxis]")


def _pictures(s: Situation, node: ast.AST) -> Iterator[ast.expr]:
    """Yield the pictures without a channel that a statement returns."""
    value = node.value if isinstance(node, ast.Return) else None
    for each in value.elts if isinstance(value, ast.Tuple) else [value]:
        shape = None if each is None else s.text.shape(each)
        if each is not None and shape is not None and shape.rank == _TABLE:
            yield each


def maps_averaged(s: Situation) -> Iterator[Candidate]:
    """Yield programs that average maps instead of flattening them."""
    for node in s.text.nodes:
        if isinstance(node, ast.Call) and callee(node) == "Flatten":
            made = _spelled(s, node, "GlobalAveragePooling2D")
            if made:
                yield s.candidate(0, node.func, made)


def batched_once(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a data set is batched once less."""
    for node in s.text.nodes if s.node is not None else ():
        match node:
            case ast.Call(func=ast.Attribute(attr="batch", value=owner)):
                data = s.text.value(owner)
                if isinstance(data, Ref) and data.cls == "tf.data.Dataset":
                    line = s.text.line_that_only_binds(node, owner)
                    yield s.removed(0, *line) if line else s.candidate(0, node, s.text.text(owner))


def yielded_as_batch(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a generator yields batches of one sample: what is taken has one axis more."""
    module = s.text.numpy
    ranks = [argument.rank for argument in s.call.arguments]
    given, taken = ranks if len(ranks) == 2 else (None, None)
    is_sample = given is None or taken is None or given == taken - 1
    for node in s.text.nodes if module and is_sample else ():
        match node:
            case ast.Yield(value=ast.Tuple(elts=items)) if all(isinstance(each, _SUBSCRIPTABLE) for each in items):
                edits = [s.text.inserted(s.text.span(each)[1], f"[{module}.newaxis]") for each in items]
                yield Candidate(0, tuple(edits))


def built_for_batches(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a model is built for the shape of a batch, not of a sample."""
    for node in (each for each in s.text.nodes if isinstance(each, ast.Call) and callee(each) == "build"):
        for shape in (*node.args, *(k.value for k in node.keywords)):
            first = shape.elts[0] if isinstance(shape, (ast.Tuple, ast.List)) and shape.elts else None
            if first is not None and s.text.text(first) != "None":
                yield s.inserted(0, s.text.span(first)[0], "None, ")


def layers_applied_in_order(s: Situation) -> Iterator[Candidate]:
    """Yield programs that apply the last layers of a model one after the other, not the last one alone."""
    given = s.node.args[0] if isinstance(s.node, ast.Call) and s.node.args else None
    made = s.node.func if isinstance(s.node, ast.Call) else None
    layer = s.text.first_value(made) if isinstance(made, ast.Name) else made
    match layer:
        case ast.Subscript(value=ast.Attribute(attr="layers") as layers, slice=index) if given is not None:
            last, text = s.text.number(index), s.text.text(given)
            for first in range(last - 1, last - _MOST_APPLIED, -1) if last is not None and last < 0 else ():
                inner = text
                for at in range(first, last or 0):
                    inner = f"{s.text.text(layers)}[{at}]({inner})"
                yield s.candidate(0, given, inner)


def batched(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a data set is batched before a model gets it."""
    if not isinstance(s.node, ast.Call) or not s.node.args:
        return
    others = (each.value for each in s.node.keywords if each.arg == "validation_data")
    for weight, data in enumerate((s.node.args[0], *others)):
        match s.text.value(data):
            case Ref(cls="tf.data.Dataset"):
                yield s.candidate(weight, data, f"{s.text.text(data)}.batch({_batch_size(s, data)})")


def _batch_size(s: Situation, data: ast.expr) -> str:
    """Return the number of samples in a batch as other data are batched, or as a name tells it."""
    batched = (
        node.args[0] for node in s.text.nodes if isinstance(node, ast.Call) and callee(node) == "batch" if node.args
    )
    given = (each for each in batched if isinstance(each, ast.Constant) or s.text.is_visible(each, data))
    named = (other for other in s.text.visible_from(data) if "batch" in s.text.text(other).lower())
    sizes = (s.text.text(each) for each in (*named, *given) if s.text.number(each) is not None)
    return next(sizes, "32")


def maps_kept(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the part of a model before a convolution does not end with a layer that pools, or
    flattens, all of the maps, and a published network without its head does not pool them."""
    for node in s.text.nodes if "Conv" in s.call.step.name else ():
        match node:
            case ast.Call(keywords=keywords) if {"pooling", "include_top"} <= {each.arg for each in keywords}:
                yield s.without_keyword(0, node, "pooling")
            case ast.List(elts=[*_, before, ast.Call() as last]) if callee(last) == "Flatten" or _is_pool(callee(last)):
                yield s.removed(0, s.text.span(before)[1], s.text.span(last)[1])


def _is_pool(name: str) -> bool:
    return name.startswith("Global")


def vectors_of_ids_taken(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which products are those of the vectors of an embedding, without the axis of its one number."""
    for node in s.text.nodes:
        match node:
            case ast.Call(func=ast.Call() as made, args=[ast.List(elts=[_, _] as items)]) if callee(made) == "Dot":
                shapes = [s.text.shape(item) for item in items]
                if all(shape is not None and shape.rank == _STEPS and shape.sizes[1] == 1 for shape in shapes):
                    yield Candidate(0, tuple(s.text.replaced(each, f"{s.text.text(each)}[:, 0]") for each in items))
