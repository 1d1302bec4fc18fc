"""Words that scikit-learn counts: a row for each text, a column for each word of those that were fitted."""

from __future__ import annotations

import re

from shapecheck.domain.values import NONE, Const, HomogeneousSeq, Ref, Seq, Tensor, Value, as_size, as_str, of_size
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.sparse_matrices import sparse_matrix
from shapecheck.models.lang.split_parts import keep_source
from shapecheck.models.sklearn.estimators import ESTIMATOR
from shapecheck.models.sklearn.rows import rows_of
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size

TEXTS = "sklearn.feature_extraction.text.Counter"
HASHED = 2**20
_WORD = re.compile(r"(?u)\b\w\w+\b")

base(TEXTS, ESTIMATOR)


@behaviour("sklearn.feature_extraction.text.{CountVectorizer,TfidfVectorizer}")
def counter(ctx: Context, *args: Value, **keywords: Value) -> Value:
    is_open = not args and keywords.keys().isdisjoint({"vocabulary", "max_features"})
    is_plain = Const(not args and not keywords)
    return ctx.new(TEXTS, _count=NONE, _name=NONE, _is_plain=is_plain, _is_open=Const(is_open))


@behaviour("sklearn.feature_extraction.text.HashingVectorizer")
def hashing(ctx: Context, *args: Value, n_features: Value = Const(HASHED), **keywords: Value) -> Value:
    return ctx.new(TEXTS, _count=n_features, _name=NONE, _is_hashed=Const(True))


def _texts(ctx: Context, data: Value) -> list[str] | None:
    """Return texts that are written out."""
    given = ctx.freeze(data)
    texts = [as_str(item) for item in given.items] if isinstance(given, Seq) else [None]
    return None if None in texts else [text for text in texts if text is not None]


def _count(ctx: Context, data: Value) -> Size | None:
    given = ctx.freeze(data)
    if isinstance(given, Seq):
        return len(given.items)
    return given.length if isinstance(given, HomogeneousSeq) else rows_of(ctx, data)


@behaviour(f"{TEXTS}.fit")
def fit(ctx: Context, self: Ref, raw_documents: Value = NONE, *rest: Value, **keywords: Value) -> Value:
    """Keep how many words there are."""
    if ctx.get(self, "_is_hashed") is not None:
        return self
    texts = _texts(ctx, raw_documents) if ctx.get(self, "_is_plain") == Const(True) else None
    words: Size = ctx.fresh("words", Kind.FREE, "the different words of texts", 1)
    if texts is not None:
        words = len({word for text in texts for word in _WORD.findall(text.lower())})
    elif ctx.get(self, "_is_open") == Const(True):
        keep_source(ctx, words, _count(ctx, raw_documents))
    ctx.set(self, "_count", of_size(words))
    return self


@behaviour(f"{TEXTS}.transform")
def transform(ctx: Context, self: Ref, raw_documents: Value = NONE, *rest: Value, **keywords: Value) -> Value:
    count, words = _count(ctx, raw_documents), as_size(ctx.get(self, "_count") or NONE)
    shape = UNRANKED if count is None or words is None else Shape((count, words))
    return sparse_matrix(ctx, Tensor(shape, None, "np"))


@behaviour(f"{TEXTS}.fit_transform")
def fit_transform(ctx: Context, self: Ref, raw_documents: Value = NONE, *rest: Value, **keywords: Value) -> Value:
    fit(ctx, self, raw_documents)
    return transform(ctx, self, raw_documents)


@behaviour(f"{TEXTS}.{{get_feature_names,get_feature_names_out,build_analyzer,build_tokenizer,inverse_transform}}")
def told(ctx: Context, self: Ref, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("the words of texts")


@behaviour("sklearn.feature_extraction.text.TfidfTransformer")
def weights(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.new("sklearn.preprocessing.Scaler")
