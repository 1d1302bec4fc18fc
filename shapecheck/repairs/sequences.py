"""Repairs of tensors of sequences where one row per sequence is expected, or the list of their steps."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.domain.values import Ref, Tensor
from shapecheck.repairs.situation import Candidate, Situation, callee

_RECURRENT = ("dynamic_rnn", "static_rnn")
_EMBEDDINGS = ("embedding_lookup",)


def last_step_taken(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a dense layer gets the last output of a recurrent network."""
    for node in s.text.nodes:
        match node:
            case ast.Call(args=[ast.Name() as given, *_]) if callee(node) in ("dense", "matmul"):
                shape = s.text.shape(given)
                if shape is not None and shape.rank == 3 and _is_from(s, given.id, _RECURRENT):
                    yield s.candidate(0, given, f"{given.id}[:, -1, :]")


def steps_averaged(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the vectors of the words of a text are averaged."""
    if not s.tensorflow:
        return
    for node in s.text.nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                shape = s.text.shape(value)
                if shape is None or shape.rank != 3:
                    continue
                if isinstance(value, ast.Name) and _is_from(s, value.id, _EMBEDDINGS):
                    yield s.candidate(0, value, f"{s.tensorflow}.reduce_mean({value.id}, axis=1)")
                elif callee(value) in _EMBEDDINGS:
                    end = s.text.span(node)[1]
                    indent = s.text.indentation(s.text.span(node)[0])
                    if indent is not None:
                        mean = f"{s.tensorflow}.reduce_mean({name}, axis=1)"
                        yield s.inserted(1, end, f"\n{indent}{name} = {mean}")


def steps_reduced(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the last layer of a module scores a sequence as a whole: the last state of a recurrent
    network, or the mean over the steps."""
    for node in s.text.nodes if s.is_of_torch else ():
        match node:
            case ast.Call(func=ast.Attribute() as layer, args=[ast.Name() as given], keywords=[]):
                before, after = s.text.shape(given), s.text.shape(node)
                is_scored = any(argument.shape == after for argument in s.call.arguments)
                if is_scored and before is not None and before.rank == 3 and isinstance(s.text.value(layer), Ref):
                    is_recurrent = s.text.definition(given) is None  # the states beside it are unpacked
                    text = f"{given.id}[:, -1]" if is_recurrent else f"{given.id}.mean(dim=1)"
                    yield s.candidate(0, given, text)


def _is_from(s: Situation, name: str, makers: tuple[str, ...]) -> bool:
    """Return whether a name is bound to a result of a call, alone or as the first of several."""
    for node in s.text.nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=bound) | ast.Tuple(elts=[ast.Name(id=bound), *_])], value=value):
                if bound == name and callee(value) in makers:
                    return True
    return False


def table_cut(s: Situation) -> Iterator[Candidate]:
    """Yield programs that add the positions of as many steps as there are, of a table for longer sequences."""
    is_sum = isinstance(s.node, (ast.BinOp, ast.AugAssign)) and isinstance(s.node.op, ast.Add)
    if not is_sum or len(s.call.arguments) != 2:
        return
    for operand in s.operands:
        other = next((each for each in s.operands if each.argument is not operand.argument), None)
        theirs = next(each.shape for each in s.call.arguments if each is not operand.argument)
        mine = operand.argument.shape
        if not (mine.is_ranked and theirs.is_ranked) or len(theirs.sizes) != 3 or len(mine.sizes) not in (2, 3):
            continue
        steps, wanted = mine.sizes[-2], theirs.sizes[1]
        is_table = mine.sizes[0] == 1 if len(mine.sizes) == 3 else mine.sizes[0] != theirs.sizes[0]  # not a batch
        if is_table and isinstance(steps, int) and isinstance(wanted, int) and steps > wanted:
            named = other is not None and isinstance(other.node, ast.Name)
            size = f"{s.text.text(other.node)}.shape[1]" if named and other is not None else str(wanted)
            index = f":{size}" if len(mine.sizes) == 2 else f":, :{size}"
            yield from _cut(s, operand.node, index, len(mine.sizes))


def _cut(s: Situation, table: ast.expr, index: str, rank: int) -> Iterator[Candidate]:
    """Yield a part of a table; where it is indexed with whole axes already, the index is changed."""
    match table:
        case ast.Subscript(slice=ast.Tuple(elts=[first, *whole])) if rank == 3 and all(map(_is_whole, whole)):
            if not isinstance(first, ast.Slice) and whole:
                yield s.candidate(0, whole[0], index.removeprefix(":, "))
        case ast.Name() | ast.Attribute() | ast.Call() | ast.Subscript():
            yield s.candidate(0, table, f"{s.text.text(table)}[{index}]")


def _is_whole(index: ast.expr) -> bool:
    return isinstance(index, ast.Slice) and index.lower is index.upper is index.step is None


def rows_summed(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which TensorFlow adds the elements of a tensor, not Python."""
    match s.node:
        case ast.Call(func=ast.Name(id="sum"), args=[given]) if s.tensorflow:
            shape = s.text.shape(given)
            if shape is not None and shape.rank:
                along = "" if shape.rank == 1 else ", axis=0"
                yield s.candidate(0, s.node, f"{s.tensorflow}.reduce_sum({s.text.text(given)}{along})")


def steps_unstacked(s: Situation) -> Iterator[Candidate]:
    """Yield programs that give a static recurrent network the list of the steps."""
    if isinstance(s.node, ast.Call) and callee(s.node) == "static_rnn" and len(s.node.args) > 1 and s.tensorflow:
        steps = s.node.args[1]
        shape = s.text.shape(steps)
        if shape is not None and shape.rank == 3 and isinstance(shape.sizes[1], int):
            text = f"{s.tensorflow}.unstack({s.text.text(steps)}, {shape.sizes[1]}, 1)"
            yield s.candidate(0, steps, text)


def starred_unstacked(s: Situation) -> Iterator[Candidate]:
    """Yield programs that make the list of the rows of a tensor in a graph."""
    for node in s.text.nodes if s.tensorflow else ():
        match node:
            case ast.List(elts=[ast.Starred(value=inner)], ctx=ast.Load()) if isinstance(s.text.value(inner), Tensor):
                yield s.candidate(0, node, f"{s.tensorflow}.unstack({s.text.text(inner)})")


def rows_of_zip_unstacked(s: Situation) -> Iterator[Candidate]:
    """Yield programs that iterate over the lists of the rows of several tensors."""
    match s.node:
        case ast.Call(func=ast.Name(id="zip" | "enumerate"), args=args) if s.tensorflow:
            tensors = [each for each in args if isinstance(s.text.value(each), Tensor)]
            edits = tuple(s.text.replaced(each, f"{s.tensorflow}.unstack({s.text.text(each)})") for each in tensors)
            if edits:
                yield Candidate(0, edits)


def classes_of_metric(s: Situation) -> Iterator[Candidate]:
    """Yield programs that give a metric of classes the likeliest class of each element."""
    is_told = "must hold class numbers" in s.call.clash.message
    if not is_told or not isinstance(s.node, ast.Call) or not s.tensorflow:
        return
    for given in s.node.args[1:2]:
        yield s.candidate(0, given, f"{s.tensorflow}.argmax({s.text.text(given)}, axis=-1)")


def sequences_padded(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the lists of the numbers of words are padded to one length before they are an array."""
    match s.node:
        case ast.Call(args=[lists, *_]) if "has items of shapes" in s.call.clash.message and callee(s.node) == "array":
            (package, keras), function = s.keras, _alias(s, "pad_sequences")
            function = function or (f"{keras}.utils.pad_sequences" if keras else "")
            edits = [s.text.replaced(s.node, f"{function or 'pad_sequences'}({s.text.text(lists)})")]
            if not function and package:
                start = s.text.span(s.text.tree.body[0])[0]
                edits.insert(0, s.text.inserted(start, f"from {package}.utils import pad_sequences\n"))
            if function or package:
                yield Candidate(0, tuple(edits))


def padded_as_fitted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the numbers of words that a model is given are padded as others are in the program."""
    function = _alias(s, "pad_sequences")
    padding = (node for node in s.text.nodes if isinstance(node, ast.Call) and callee(node) == "pad_sequences")
    options = [node.keywords for node in padding if node.keywords]
    for operand in s.operands if function else ():
        given = operand.node
        if isinstance(given, ast.Call) and callee(given) == "array" and given.args:
            given = given.args[0]
        for keywords in options:
            told = ", ".join(f"{each.arg}={s.text.text(each.value)}" for each in keywords)
            yield s.candidate(0, operand.node, f"{function}({s.text.text(given)}, {told})")


def _alias(s: Situation, name: str) -> str:
    return next((alias for full, alias in s.text.aliases.items() if full.endswith(f".{name}")), "")


def rows_of_unknown_counted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an embedding has rows for the words that a lookup does not know as well."""
    told = re.search(r"the words have numbers up to (\d+), there are (\d+) rows", s.call.clash.message)
    for node in s.text.nodes if told else ():
        match node:
            case ast.Call(args=[rows, *_]) if callee(node) == "Embedding" and told:
                if s.text.number(rows) == int(told[2]):
                    more = int(told[1]) + 1 - int(told[2])
                    is_written = isinstance(rows, ast.Constant)
                    yield s.candidate(0, rows, str(int(told[1]) + 1) if is_written else f"{s.text.text(rows)} + {more}")
