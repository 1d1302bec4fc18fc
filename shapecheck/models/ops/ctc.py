"""Connectionist temporal classification: texts that are shorter than their inputs."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Lost
from shapecheck.models.lang import Answer, AnyValue, Flag, Need, Tensor, equal, of_rank, one_of, op, result
from shapecheck.models.lang.constraints import LateNeed
from shapecheck.models.lang.expression import Bindings, size_of
from shapecheck.shapes.shape import UNRANKED

LOSS = {"logits": "inputs", "sequence_length": "logit_length", "time_major": "logits_time_major"}


@op("tf.nn.{ctc_loss,ctc_loss_v2}", was=LOSS, dtype="float32", oracle="none: sparse labels")
def ctc_loss(labels: AnyValue, inputs: Tensor, logit_length: Tensor, logits_time_major: Flag = True) -> Answer:
    """Return one number for each sample; where the labels are dense, one length may be used for all."""
    signature = "t b _, l -> b" if logits_time_major else "b t _, l -> b"
    return signature, _one_for_each(inputs, logit_length)


def _one_for_each(inputs: Tensor, lengths: Tensor) -> LateNeed:
    """Return the need that there is a length for each sample, or one for all."""

    def fits(bindings: Bindings) -> Need:
        batch, given = size_of("b", bindings), size_of("l", bindings)
        said = f"{inputs.name} has {batch} samples, {lengths.name} has shape {lengths.shape}"
        return one_of(ClashKind.AXIS, given, (batch, 1), said)

    return fits


DECODERS = "ctc_greedy_decoder,ctc_beam_search_decoder,ctc_beam_search_decoder_v2"


@op(f"tf.nn.{{{DECODERS}}}", dtype="?", oracle="none: sparse results")
def ctc_decoder(inputs: Tensor, sequence_length: Tensor) -> Answer:
    """Return a list of sparse tensors, and the probability of each text."""
    of_rank(inputs, 3)
    of_rank(sequence_length, 1)
    return result(Lost("a list of sparse texts"), UNRANKED, needs=_one_each(inputs, sequence_length))


def _one_each(inputs: Tensor, lengths: Tensor) -> list[Need]:
    """Return the need that each sample has a length."""
    batch, given = inputs.shape.size(1), lengths.shape.size(0)
    if batch is None or given is None:
        return []
    return [equal(ClashKind.AXIS, batch, given, f"{inputs.name} has {batch} samples, {lengths.name} has {given}")]
