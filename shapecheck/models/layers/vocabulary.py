"""The words of a tokenizer, and the rows of an embedding for them."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Ref, Tensor, Value, walk
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.element_bounds import require_below
from shapecheck.models.lang.registry import attribute
from shapecheck.models.lang.suspicious import Notices
from shapecheck.shapes.size import Size, expr_of, symbols

WORDS = "the words that a tokenizer has met"


@attribute("keras.preprocessing.text.Tokenizer.word_index")
def word_index(ctx: Context, self: Ref) -> Value:
    """Return the numbers of the words, which begin at 1; a tokenizer for fewer words does not give all of them."""
    is_limited = (ctx.get(self, "num_words") or NONE) != NONE or ctx.get(self, "_args") is not None
    return ctx.lost("the numbers of words" if is_limited else WORDS)


def check_words(ctx: Context, name: str, value: Value, declared: Tensor, outputs: Value) -> None:
    """State that each embedding that a model gives an input to has a row for each number in the data."""
    results = [part for part in walk(outputs) if isinstance(part, Tensor)]
    for layer, given, *_ in ctx.operations("keras.layers.Embedding.__call__", results, [declared]):
        if given == declared:
            require_below(ctx, name, value, ctx.get(layer, "input_dim") or NONE, "rows in the embedding")


def without_padding(rows: Size) -> Notices:
    """Notice an embedding with as many rows as a tokenizer has words, whose numbers begin at 1."""
    words = next((symbol for symbol in symbols(rows) if symbol.why == WORDS), None)
    if words is None or rows != expr_of(words):
        return []
    said = "words are numbered from 1, so the last one has no row"
    return [(ClashKind.ROW_OF_LAST_WORD, said)]
