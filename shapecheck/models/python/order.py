"""`bisect`, `statistics`, and the functions of `six` for the views of a dict."""

from __future__ import annotations

from typing import TypeGuard

from shapecheck.domain.values import Dict, Int, Scalar, Seq, Value
from shapecheck.models.lang import Context, behaviour
from shapecheck.shapes.size import Kind


@behaviour("bisect.{bisect,bisect_left,bisect_right}")
def bisected(ctx: Context, a: Value, x: Value, *rest: Value, **keywords: Value) -> Value:
    return Int(ctx.fresh("place", Kind.LOST, "where bisect finds a place"))


@behaviour("statistics.{mean,fmean,median,stdev,pstdev,variance,pvariance,geometric_mean,harmonic_mean}")
def statistic(ctx: Context, data: Value, *rest: Value, **keywords: Value) -> Value:
    return Scalar("number")


@behaviour("six.{iteritems,viewitems}")
def items(ctx: Context, d: Value) -> Value:
    return Seq("list", tuple(Seq("tuple", pair) for pair in d.items)) if _is_known(d) else ctx.lost("items of a dict")


@behaviour("six.{iterkeys,viewkeys}")
def keys(ctx: Context, d: Value) -> Value:
    return Seq("list", tuple(key for key, _ in d.items)) if _is_known(d) else ctx.lost("keys of a dict")


@behaviour("six.{itervalues,viewvalues}")
def values(ctx: Context, d: Value) -> Value:
    return Seq("list", tuple(value for _, value in d.items)) if _is_known(d) else ctx.lost("values of a dict")


def _is_known(d: Value) -> TypeGuard[Dict]:
    return isinstance(d, Dict) and d.rest is None
