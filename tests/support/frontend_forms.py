"""A plain form of `ast` trees and of the IR, in which they can be compared."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from shapecheck import ir

BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
UNARY = {ast.UAdd: "+", ast.USub: "-", ast.Invert: "~", ast.Not: "not"}
COMPARE = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


def descend(value: object, parent: ir.Node | None) -> Iterator[tuple[ir.Node, ir.Node | None]]:
    if isinstance(value, ir.Node):
        yield value, parent
        for field in value.__dataclass_fields__:
            yield from descend(getattr(value, field), value)
    elif isinstance(value, tuple):
        for each in value:
            yield from descend(each, parent)


def ir_form(module: ir.Module) -> list[Any]:
    return [module.docstring, *(_of_ir(each) for each in module.body)]


def _of_ir(node: Any) -> Any:
    """Return a node as (kind, field, field, …) without its span."""
    if isinstance(node, tuple):
        return [_of_ir(each) for each in node]
    if isinstance(node, ir.Format):
        return ["Format", [each if isinstance(each, str) else _of_ir(each) for each in node.parts], node.plain]
    if isinstance(node, ir.Node):
        names = [name for name in node.__dataclass_fields__ if name not in ("start", "end", "name_start", "bound")]
        fields = [_of_ir(getattr(node, name)) for name in names if name != "is_generator"]
        return [type(node).__name__, *fields]
    return node


def syntax_form(module: ast.Module) -> list[Any]:
    return [ast.get_docstring(module, clean=False), *(_stmt(each) for each in module.body)]


def _body(nodes: list[ast.stmt]) -> list[Any]:
    return [_stmt(each) for each in nodes]


def _exprs(nodes: list[ast.expr]) -> list[Any]:
    return [_expr(each) for each in nodes]


def _arguments(positional: list[ast.expr], keywords: list[ast.keyword]) -> list[Any]:
    """Return arguments in source order, as in the IR."""
    found: list[tuple[Any, Any]] = []
    for each in positional:
        star = isinstance(each, ast.Starred)
        value = each.value if isinstance(each, ast.Starred) else each
        found.append(((each.lineno, each.col_offset), ["Arg", _expr(value), None, "*" if star else ""]))
    for keyword in keywords:
        place = (keyword.lineno, keyword.col_offset)
        found.append((place, ["Arg", _expr(keyword.value), keyword.arg, "" if keyword.arg else "**"]))
    return [form for _, form in sorted(found, key=lambda pair: pair[0])]


def _params(arguments: ast.arguments) -> list[Any]:
    def one(arg: ast.arg, kind: str, default: ast.expr | None = None) -> Any:
        return ["Param", arg.arg, kind, _expr(default), _expr(arg.annotation)]

    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    found = [
        one(arg, "positional" if i < len(arguments.posonlyargs) else "plain", default)
        for i, (arg, default) in enumerate(zip(plain, defaults, strict=True))
    ]
    if arguments.vararg:
        found.append(one(arguments.vararg, "*"))
    found += [
        one(arg, "keyword", default) for arg, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    if arguments.kwarg:
        found.append(one(arguments.kwarg, "**"))
    return found


def _clause(node: ast.comprehension) -> Any:
    return ["Clause", _expr(node.target), _expr(node.iter), _exprs(node.ifs), bool(node.is_async)]


def _format(node: ast.JoinedStr) -> Any:
    parts: list[Any] = []
    plain = True
    for each in node.values:
        if isinstance(each, ast.Constant):
            if parts and isinstance(parts[-1], str):
                parts[-1] += each.value
            elif each.value:
                parts.append(each.value)
        elif isinstance(each, ast.FormattedValue):
            parts.append(_expr(each.value))
            spec = each.format_spec.values if isinstance(each.format_spec, ast.JoinedStr) else []
            plain = plain and each.conversion == -1 and not spec
    return ["Format", parts, plain]


def _expr(node: ast.AST | None) -> Any:  # noqa: C901 - one case for each class
    match node:
        case None:
            return None
        case ast.Constant(value=value):
            return ["Const", value]
        case ast.Name(id=name):
            return ["Name", name]
        case ast.Attribute(value=value, attr=name):
            return ["Attribute", _expr(value), name]
        case ast.Subscript(value=value, slice=index):
            return ["Subscript", _expr(value), _expr(index)]
        case ast.Slice(lower=lower, upper=upper, step=step):
            return ["Slice", _expr(lower), _expr(upper), _expr(step)]
        case ast.Call(func=func, args=args, keywords=keywords):
            return ["Call", _expr(func), _arguments(args, keywords)]
        case ast.UnaryOp(op=op, operand=operand):
            return ["Unary", UNARY[type(op)], _expr(operand)]
        case ast.BinOp(left=left, op=op, right=right):
            return ["Binary", BINARY[type(op)], _expr(left), _expr(right)]
        case ast.Compare(left=left, ops=ops, comparators=rights):
            return ["Compare", _expr(left), [COMPARE[type(op)] for op in ops], _exprs(rights)]
        case ast.BoolOp(op=op, values=values):
            return ["Logical", "and" if isinstance(op, ast.And) else "or", _exprs(values)]
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return ["Conditional", _expr(test), _expr(body), _expr(orelse)]
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return ["Display", type(node).__name__.lower(), _exprs(items)]
        case ast.Dict(keys=keys, values=values):
            return ["DictDisplay", [[_expr(key), _expr(value)] for key, value in zip(keys, values, strict=True)]]
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            kind = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "generator"}[type(node)]
            return ["Comprehension", kind, _expr(node.elt), None, [_clause(each) for each in node.generators]]
        case ast.DictComp(key=key, value=value, generators=clauses):
            return ["Comprehension", "dict", _expr(value), _expr(key), [_clause(each) for each in clauses]]
        case ast.Lambda(args=arguments, body=body):
            return ["Lambda", _params(arguments), _expr(body)]
        case ast.JoinedStr():
            return _format(node)
        case ast.Starred(value=value):
            return ["Starred", _expr(value)]
        case ast.NamedExpr(target=target, value=value):
            return ["Walrus", target.id, _expr(value)]
        case ast.Await(value=value):
            return ["Await", _expr(value)]
        case ast.Yield(value=value):
            return ["Yield", _expr(value), False]
        case ast.YieldFrom(value=value):
            return ["Yield", _expr(value), True]
    raise AssertionError(node)


def _captures(pattern: ast.AST) -> Iterator[str]:
    """Return captures depth first, in source order."""
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        yield from _captures(pattern.pattern)
    elif not isinstance(pattern, ast.MatchAs):
        for child in ast.iter_child_nodes(pattern):
            yield from _captures(child)
    if isinstance(pattern, (ast.MatchAs, ast.MatchStar)) and pattern.name:
        yield pattern.name
    if isinstance(pattern, ast.MatchMapping) and pattern.rest:
        yield pattern.rest


def _irrefutable(pattern: ast.pattern) -> bool:
    if isinstance(pattern, ast.MatchAs):
        return pattern.pattern is None or _irrefutable(pattern.pattern)
    return isinstance(pattern, ast.MatchOr) and any(map(_irrefutable, pattern.patterns))


def _literals(pattern: ast.pattern | None) -> list[Any]:
    match pattern:
        case ast.MatchAs(pattern=inner):
            return _literals(inner)
        case ast.MatchOr(patterns=options):
            found = [_literals(option) for option in options]
            return [value for values in found for value in values] if all(found) else []
        case ast.MatchValue(value=value):
            return [_expr(value)]
        case ast.MatchSingleton(value=value):
            return [["Const", value]]
    return []


def _sequence(pattern: ast.pattern) -> tuple[Any, list[Any]]:
    """Return the targets of a sequence's items, and the values that some of them have."""
    if not isinstance(pattern, ast.MatchSequence):
        return None, []
    targets, values = [], []
    for at, part in enumerate(pattern.patterns):
        name: Any = ["Opaque", "wildcard"]
        match part:
            case ast.MatchAs(pattern=None, name=found) | ast.MatchStar(name=found):
                name = name if found is None else ["Name", found]
            case ast.MatchValue() | ast.MatchSingleton():
                values.append([at, *_literals(part)])
            case _:
                return None, []
        targets.append(["Starred", name] if isinstance(part, ast.MatchStar) else name)
    return ["Display", "tuple", targets], values


def _case(node: ast.match_case) -> Any:
    binds = list(dict.fromkeys(_captures(node.pattern)))
    form = [binds, _irrefutable(node.pattern), _literals(node.pattern), _expr(node.guard), _body(node.body)]
    return ["Case", *form, *_sequence(node.pattern)]


def _handler(node: ast.ExceptHandler) -> Any:
    return ["Handler", _expr(node.type), node.name, _body(node.body)]


def _aliases(names: list[ast.alias]) -> list[Any]:
    return [[alias.name, alias.asname] for alias in names]


def _stmt(node: ast.stmt) -> Any:  # noqa: C901 - one case for each class
    kind = type(node).__name__
    match node:
        case ast.Expr(value=value):
            return ["Evaluate", _expr(value)]
        case ast.Assign(targets=targets, value=value):
            return ["Assign", _exprs(targets), _expr(value)]
        case ast.AnnAssign(target=target, annotation=annotation, value=value):
            return ["Annotated", _expr(target), _expr(annotation), _expr(value)]
        case ast.AugAssign(target=target, op=op, value=value):
            return ["Augmented", _expr(target), BINARY[type(op)], _expr(value)]
        case ast.Return(value=value):
            return ["Return", _expr(value)]
        case ast.Raise(exc=value, cause=cause):
            return ["Raise", _expr(value), _expr(cause)]
        case ast.Assert(test=test, msg=message):
            return ["Assert", _expr(test), _expr(message)]
        case ast.Delete(targets=targets):
            return ["Delete", _exprs(targets)]
        case ast.Pass() | ast.Break() | ast.Continue():
            return ["Jump", kind.lower()]
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return ["Scope", kind.lower(), names]
        case ast.Import(names=names):
            return ["Import", _aliases(names)]
        case ast.ImportFrom(module=module, names=names, level=level):
            everything = names[0].name == "*"
            return ["ImportFrom", module or "", level, None if everything else _aliases(names)]
    return _compound(node)


def _compound(node: ast.stmt) -> Any:
    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            return ["If", _expr(test), _body(body), _body(orelse)]
        case ast.While(test=test, body=body, orelse=orelse):
            return ["While", _expr(test), _body(body), _body(orelse)]
        case ast.For() | ast.AsyncFor():
            arms = [_body(node.body), _body(node.orelse)]
            return ["For", _expr(node.target), _expr(node.iter), *arms, isinstance(node, ast.AsyncFor)]
        case ast.With() | ast.AsyncWith():
            items = [[_expr(item.context_expr), _expr(item.optional_vars)] for item in node.items]
            return ["With", items, _body(node.body), isinstance(node, ast.AsyncWith)]
        case ast.Match(subject=subject, cases=cases):
            return ["Match", _expr(subject), [_case(each) for each in cases]]
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            signature = [_exprs(node.decorator_list), _expr(node.returns), isinstance(node, ast.AsyncFunctionDef)]
            docstring = ast.get_docstring(node, clean=False)
            return ["FunctionDef", node.name, _params(node.args), _body(node.body), *signature, docstring]
        case ast.ClassDef():
            docstring = ast.get_docstring(node, clean=False)
            bases = _arguments(node.bases, node.keywords)
            return ["ClassDef", node.name, bases, _body(node.body), _exprs(node.decorator_list), docstring]
    assert type(node).__name__ in ("Try", "TryStar"), node
    arms = [_body(node.body), [_handler(each) for each in node.handlers], _body(node.orelse), _body(node.finalbody)]  # type: ignore[attr-defined]
    return ["Try", *arms]
