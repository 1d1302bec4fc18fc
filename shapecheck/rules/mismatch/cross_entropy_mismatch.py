"""Labels and predictions of a cross-entropy do not fit each other."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Argument, Call, Words
from shapecheck.rules.rule import rule


@rule("SHP110", Severity.ERROR, on={ClashKind.CROSS_ENTROPY})
def cross_entropy_mismatch(call: Call) -> Words:
    if len(call.arguments) != 2:
        return call.says()
    a, b = call.arguments
    return call.says(_other_form(call, a, b) or _other_form(call, b, a))


def _other_form(call: Call, labels: Argument, logits: Argument) -> str:
    """Return the form of the loss that the labels fit: the sparse one for class numbers, the plain one for one-hot
    rows."""
    plain, sparse = _forms(call.name)
    if not plain or not (labels.shape.is_ranked and logits.shape.is_ranked) or not logits.rank:
        return ""
    given, wanted = labels.shape.sizes, logits.shape.sizes
    if wanted[-1] == 1:
        return ""
    if call.fits(given, wanted):
        is_sparse = not call.name.endswith(plain) or call.name.endswith(sparse)
        return f"these look like one-hot labels: {plain} takes them" if is_sparse else ""
    rows = given[:-1] if len(given) == len(wanted) and given[-1] == 1 else given
    fits = call.fits(rows, wanted[:-1]) and not call.name.endswith(sparse)
    return f"these look like class numbers (integer labels): {sparse} takes them, or make them one-hot" if fits else ""


def _forms(name: str) -> tuple[str, str]:
    """Return the plain and the sparse form of a loss."""
    last = name.rsplit(".", 1)[-1]
    if "softmax" in last:
        plain = last.removeprefix("sparse_").removesuffix("_v2")
        return plain, f"sparse_{plain}"
    return ("categorical_crossentropy", "sparse_categorical_crossentropy") if name.startswith("keras.") else ("", "")
