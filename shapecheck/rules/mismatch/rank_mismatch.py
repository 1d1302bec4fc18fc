"""An operand has another number of axes than the operation takes."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rewriting import with_function, with_sizes_in_list
from shapecheck.rules.rule import rule

_RECURRENT = {f"keras.layers.{name}" for name in ("LSTM", "GRU", "SimpleRNN", "RNN", "Bidirectional", "ConvLSTM1D")}
_MAKERS = ("np.zeros", "np.ones", "np.empty")
_SEQUENCES = {*_RECURRENT, *(f"keras.layers.{name}" for name in ("Conv1D", "MaxPooling1D", "GlobalMaxPooling1D"))}


@rule("SHP102", Severity.ERROR, on={ClashKind.RANK, ClashKind.NOTHING})
def rank_mismatch(call: Call) -> Words:
    if call.name in _MAKERS:
        return call.says(fix=with_sizes_in_list(call))
    return _vector(call) or call.says(_last_only(call))


def _vector(call: Call) -> Words | None:
    """Return a fix for a matrix times a vector, which has a function of its own."""
    if call.name not in ("tf.matmul", "tf.@") or call.step.keywords or len(call.arguments) != 2:
        return None
    a, b = call.arguments
    if a.rank is None or a.rank < 2 or b.rank != 1 or not call.always(a.shape.sizes[-1], b.shape.sizes[0]):
        return None
    fix = with_function(call, "matmul", "linalg.matvec")
    return call.says("tf.linalg.matvec multiplies a matrix by a vector", fix=fix)


def _last_only(call: Call) -> str:
    """Return a hint for a recurrent layer that returns only its last output to a layer that takes a sequence."""
    if call.name not in _SEQUENCES or not call.arguments or call.arguments[0].rank != 2:
        return ""
    made = call.source_of(call.arguments[0].tensor)
    if made is None or made.name.removesuffix(".__call__") not in _RECURRENT:
        return ""
    return "set return_sequences=True in the previous recurrent layer"
