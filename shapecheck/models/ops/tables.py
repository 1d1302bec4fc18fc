"""Lookup tables: each key has a value of the table's own dtype."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, Ref, Tensor, Value, as_str
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor, dtype_name
from shapecheck.shapes.shape import SCALAR

TABLES = "tf.lookup.{StaticHashTable,StaticVocabularyTable,experimental.MutableHashTable,experimental.DenseHashTable}"
INITIALIZER = "tf.lookup.KeyValueTensorInitializer"
for _name in ("StaticHashTable", "StaticVocabularyTable"):
    base(f"tf.lookup.{_name}", "object")
for _name in ("MutableHashTable", "DenseHashTable"):
    base(f"tf.lookup.experimental.{_name}", "object")
base(INITIALIZER, "object")


@behaviour(INITIALIZER)
def initializer(
    ctx: Context,
    keys: Value,
    values: Value,
    key_dtype: Value = NONE,
    value_dtype: Value = NONE,
    name: Value = NONE,
) -> Value:
    dtype = dtype_name(value_dtype) if value_dtype != NONE else as_tensor(ctx.freeze(values), ctx).dtype
    return ctx.new(INITIALIZER, _dtype=Const(dtype))


@behaviour("tf.lookup.StaticHashTable")
def static_table(
    ctx: Context, initializer: Value, default_value: Value = NONE, name: Value = NONE, **options: Value
) -> Value:
    return _made(ctx, "tf.lookup.StaticHashTable", as_str(ctx.get(initializer, "_dtype") or NONE))


@behaviour("tf.lookup.StaticVocabularyTable")
def vocabulary(
    ctx: Context, initializer: Value, num_oov_buckets: Value = NONE, lookup_key_dtype: Value = NONE, name: Value = NONE
) -> Value:
    return _made(ctx, "tf.lookup.StaticVocabularyTable", "int64")


@behaviour("tf.lookup.experimental.{MutableHashTable,DenseHashTable}")
def mutable_table(ctx: Context, key_dtype: Value, value_dtype: Value, *rest: Value, **options: Value) -> Value:
    return _made(ctx, "tf.lookup.experimental.MutableHashTable", None)


def _made(ctx: Context, cls: str, dtype: str | None) -> Value:
    return ctx.new(cls, _dtype=Const(dtype))


@behaviour("tf.lookup.{StaticHashTable,StaticVocabularyTable}.{lookup,__getitem__}")
def lookup(ctx: Context, self: Value, keys: Value, name: Value = NONE) -> Value:
    found = as_tensor(ctx.freeze(keys), ctx)
    dtype = as_str(ctx.get(self, "_dtype") or NONE) if isinstance(self, Ref) else None
    return Tensor(found.shape, dtype, role=found.role if found.role in ("sparse", "ragged") else "tensor")


@behaviour("tf.lookup.experimental.{MutableHashTable,DenseHashTable}.{lookup,__getitem__}")
def lookup_mutable(ctx: Context, self: Value, keys: Value, *rest: Value, **options: Value) -> Value:
    """Each value may be an array."""
    return Tensor()


@behaviour(f"{TABLES}.size")
def size(ctx: Context, self: Value, name: Value = NONE) -> Value:
    return Tensor(SCALAR, "int64")
