"""`collections`, `json`, `pickle` and `argparse`: objects that hold values."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Dict,
    HomogeneousSeq,
    Int,
    Library,
    Partial,
    Ref,
    Scalar,
    Seq,
    Value,
    as_size,
    as_str,
    items_of,
)
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.python.numbers import read_number
from shapecheck.shapes.size import Kind

NAMED_TUPLE = "collections.namedtuple"
FILE = "io.TextIOWrapper"


@behaviour("collections.Counter", "collections.ChainMap")
def counted(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("a dictionary that fills itself")


@behaviour("types.SimpleNamespace", "argparse.Namespace")
def namespace(ctx: Context, **values: Value) -> Value:
    return ctx.new("argparse.Namespace", **values)


@behaviour("json.loads", "pickle.load", "pickle.loads")
def load(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("data read from a file")


@behaviour("json.load", "yaml.load", "yaml.safe_load", "yaml.full_load")
def load_document(ctx: Context, fp: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Return the value in a file that lies beside the program."""
    name = ctx.get(fp, "name") if isinstance(fp, Ref) and fp.cls == FILE else None
    told = None if name is None else ctx.facts_of(name)
    return ctx.lost("data read from a file") if told is None or "value" not in told else plain(ctx, told["value"])


def plain(ctx: Context, told: object) -> Value:
    """Return the value that a plain value of JSON or YAML stands for."""
    match told:
        case dict():
            return Dict(tuple((plain(ctx, key), plain(ctx, value)) for key, value in told.items()))
        case list():
            return Seq("list", tuple(plain(ctx, each) for each in told))
        case None | bool() | int() | float() | str():
            return Const(told)
    return ctx.lost("a value in a file")


@behaviour(f"{FILE}.__enter__")
def opened(ctx: Context, self: Value) -> Value:
    return self


@behaviour(f"{FILE}.{{close,__exit__}}")
def closed(ctx: Context, *args: Value) -> Value:
    return NONE


# Named tuples -------------------------------------------------------------------------------------------------------


@behaviour(NAMED_TUPLE, "typing.NamedTuple")
def namedtuple(ctx: Context, typename: Value, field_names: Value, **keywords: Value) -> Value:
    names = _field_names(field_names)
    if names is None:
        return ctx.lost("a named tuple of unknown fields")
    fields = Seq("tuple", tuple(Const(name) for name in names))
    return Partial(Library(f"{NAMED_TUPLE}.__new__"), (fields,))


def _field_names(value: Value) -> list[str] | None:
    text = as_str(value)
    if text is not None:
        return text.replace(",", " ").split()
    names = [as_str(items[0] if (items := items_of(item)) else item) for item in items_of(value) or ()]
    return None if None in names or not names else [name for name in names if name is not None]


@behaviour(f"{NAMED_TUPLE}.__iter__")
def iterate_tuple(ctx: Context, self: Value) -> Value:
    return ctx.get(self, "_items") or ctx.lost("a named tuple")


@behaviour(f"{NAMED_TUPLE}.__getitem__")
def item_of_tuple(ctx: Context, self: Value, index: Value) -> Value:
    items = items_of(ctx.get(self, "_items") or NONE)
    at = as_size(index)
    if items is None or not isinstance(at, int) or not -len(items) <= at < len(items):
        return ctx.lost("an item of a named tuple")
    return items[at]


@behaviour(f"{NAMED_TUPLE}.__len__")
def length_of_tuple(ctx: Context, self: Value) -> Value:
    return Const(len(items_of(ctx.get(self, "_items") or NONE) or ()))


# Arguments of a program: the defaults hold only where it is traced without any, since the user may pass others


@behaviour("argparse.ArgumentParser")
def argument_parser(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.new("argparse.ArgumentParser", _arguments=Dict(()), _defaults=Dict(()))


@behaviour(
    "argparse.ArgumentParser.add_argument_group",
    "argparse.ArgumentParser.add_mutually_exclusive_group",
)
def argument_group(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return self


@behaviour("argparse.ArgumentParser.add_argument")
def add_argument(ctx: Context, self: Value, *flags: Value, **keywords: Value) -> Value:
    name = _destination(flags, keywords)
    known = ctx.get(self, "_arguments")
    if name and isinstance(self, Ref) and isinstance(known, Dict):
        value = _argument(ctx, name, keywords)
        ctx.set(self, "_arguments", Dict((*known.items, (Const(name), value)), known.rest))
        left = ctx.get(self, "_defaults")
        if isinstance(left, Dict):
            is_needed = keywords.get("required") == TRUE or not (_is_option(flags) or "default" in keywords)
            default = _default(ctx, keywords)
            kept = value if is_needed or default == NONE else default
            ctx.set(self, "_defaults", Dict((*left.items, (Const(name), kept))))
    return NONE


def _default(ctx: Context, keywords: dict[str, Value]) -> Value:
    """Return the value of an argument that is not given; a default text is converted like a given one."""
    default = keywords.get("default", NONE)
    if "default" not in keywords and "action" in keywords:
        default = {"store_true": FALSE, "store_false": TRUE}.get(as_str(keywords["action"]) or "", NONE)
    if default == Library("argparse.SUPPRESS"):
        return ctx.lost("an argument that is left out")
    text, kind = as_str(default), keywords.get("type", Library("str"))
    if text is None or kind == Library("str"):
        return default
    value = read_number(text, kind.name.rsplit(".", 1)[-1]) if isinstance(kind, Library) else None
    return ctx.lost("a default that is converted") if value is None else value


def _is_option(flags: Sequence[Value]) -> bool:
    return any((as_str(flag) or "").startswith("-") for flag in flags)


def _destination(flags: Sequence[Value], keywords: dict[str, Value]) -> str | None:
    if "dest" in keywords:
        return as_str(keywords["dest"])
    texts = [text for text in map(as_str, flags) if text]
    named = next((text for text in texts if text.startswith("--")), texts[0] if texts else "")
    return named.lstrip("-").replace("-", "_") or None


def _argument(ctx: Context, name: str, keywords: dict[str, Value]) -> Value:
    if as_str(keywords.get("action", NONE)) in ("store_true", "store_false"):
        return Scalar("bool")
    value = _converted(ctx, name, keywords)
    if "nargs" in keywords:
        return HomogeneousSeq("list", value, ctx.fresh(name, Kind.FREE, f"how often the argument {name} is given"))
    is_given = keywords.get("required") == Const(True) or keywords.get("default", NONE) != NONE
    return value if is_given else ctx.lost("an argument that may be missing")


def _converted(ctx: Context, name: str, keywords: dict[str, Value]) -> Value:
    kind = keywords.get("type")
    default = keywords.get("default")
    called = kind.name.rsplit(".", 1)[-1] if isinstance(kind, Library) else "" if kind else "str"
    if called == "int":
        return Int(ctx.fresh(name, Kind.FREE, f"the argument {name}", None))
    if called == "str" and isinstance(default, Const) and not isinstance(default.value, str):
        return ctx.lost("an argument or its default")
    return Scalar(called) if called in ("str", "float", "bool") else ctx.lost("an argument of the program")


@behaviour("argparse.ArgumentParser.set_defaults")
def set_defaults(ctx: Context, self: Value, **keywords: Value) -> Value:
    known = ctx.get(self, "_arguments")
    if isinstance(self, Ref) and isinstance(known, Dict):
        more = tuple((Const(name), ctx.lost("an argument or its default")) for name in keywords)
        ctx.set(self, "_arguments", Dict((*known.items, *more), known.rest))
        left = ctx.get(self, "_defaults")
        pairs = dict(left.items) if isinstance(left, Dict) else {}
        pairs.update({Const(name): value for name, value in keywords.items()})
        ctx.set(self, "_defaults", Dict(tuple(pairs.items())))
    return NONE


def _namespace(ctx: Context, parser: Value) -> Value:
    known = ctx.get(parser, "_arguments")
    pairs = known.items if isinstance(known, Dict) else ()
    return ctx.new("argparse.Namespace", **{name: value for key, value in pairs if (name := as_str(key))})


def _left_out(ctx: Context, parser: Value) -> dict[str, Value]:
    """Return the arguments of a program that is run with only those that are required."""
    left = ctx.get(parser, "_defaults")
    pairs = left.items if isinstance(left, Dict) else ()
    return {name: value for key, value in pairs if (name := as_str(key))}


def _plain(ctx: Context, parser: Value) -> Value:
    """Return the same where a user may give others: a switch may be on or off."""
    values = _left_out(ctx, parser)
    opened = {name: ctx.left_open(Scalar("bool")) for name, value in values.items() if value in (TRUE, FALSE)}
    return ctx.new("argparse.Namespace", **values | opened)


@behaviour("argparse.ArgumentParser.parse_args")
def parse_args(ctx: Context, self: Value, args: Value = NONE, namespace: Value = NONE) -> Value:
    """Without any arguments, which a program may request, all have their defaults."""
    given = ctx.freeze(args)
    if given == Seq("list", ()):
        return ctx.new("argparse.Namespace", **_left_out(ctx, self))
    return _namespace(ctx, self) if isinstance(given, Seq) or not ctx.without_options else _plain(ctx, self)


@behaviour("argparse.ArgumentParser.parse_known_args")
def parse_known_args(ctx: Context, self: Value, args: Value = NONE, namespace: Value = NONE) -> Value:
    if ctx.without_options and not isinstance(ctx.freeze(args), Seq):
        return Seq("tuple", (_plain(ctx, self), Seq("list", ())))
    rest = HomogeneousSeq("list", Scalar("str"), ctx.fresh("arguments", Kind.FREE, "arguments that were not declared"))
    return Seq("tuple", (_namespace(ctx, self), rest))


@behaviour("tf.contrib.training.HParams", "tf.HParams")
def hyper_parameters(ctx: Context, hparam_def: Value = NONE, model_structure: Value = NONE, **values: Value) -> Value:
    return ctx.new("tf.contrib.training.HParams", **values)
