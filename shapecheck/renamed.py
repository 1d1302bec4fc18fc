"""Former names of rules, which are accepted wherever a rule is named, for one release after the renaming."""

from __future__ import annotations

FORMER_NAMES = {
    "axis-first": "axis-argument-first",
    "cross-entropy-operands": "cross-entropy-mismatch",
    "filter-channels": "implicit-grouped-convolution",
    "layout-channels": "data-format-mismatch",
    "misplaced-sizes": "swapped-input-axes",
    "one-unit-loss": "single-unit-cross-entropy",
    "size1-axis-constant": "constant-softmax",
    "softmax-axis": "softmax-over-batch",
    "third-factor": "matmul-third-argument",
    "unbuilt-axis": "undefined-input-axis",
    "unkept-axis": "missing-keepdims",
    "unmasked-values": "masked-assignment-size",
}


def current_name(name: str) -> str:
    """Return the present name of a rule for its former one; any other word stays as it is."""
    return FORMER_NAMES.get(name, name)
