"""The words of a tokenizer, and the rows of an embedding for them."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Ref, Tensor, Value, as_size, as_str, items_of, walk
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


_LOOKUPS = ("keras.layers.StringLookup.__call__", "keras.layers.IntegerLookup.__call__")


def check_lookup(ctx: Context, given: Value, rows: Value) -> None:
    """Notice an embedding with too few rows for the words of a lookup layer, which numbers them after the unknown
    ones."""
    name, args = ctx.operation(given) if isinstance(given, Tensor) else ("", ())
    layer, most = args[0] if name in _LOOKUPS and args else None, as_size(rows)
    if not isinstance(layer, Ref) or not isinstance(most, int):
        return
    words = count_words(ctx.get(layer, "vocabulary") or NONE)
    unknown = as_size(ctx.get(layer, "num_oov_indices") or Const(1))
    is_numbered = as_str(ctx.get(layer, "output_mode") or NONE) in (None, "int")
    is_plain = is_numbered and (ctx.get(layer, "mask_token") or NONE) == NONE
    if words is not None and isinstance(unknown, int) and is_plain and most < words + unknown:
        said = f"the words have numbers up to {words + unknown - 1}, there are {most} rows"
        ctx.notice(ClashKind.ROW_OF_LAST_WORD, said, given)


def count_words(vocabulary: Value) -> int | None:
    """Return the number of words of a list that has no word for the unknown ones."""
    words = items_of(vocabulary)
    if words is None or not all(isinstance(word, Const) and word.value not in ("", "[UNK]", -1) for word in words):
        return None
    return len(words)
