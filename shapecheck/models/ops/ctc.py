"""Texts that are shorter than what they are read from: connectionist temporal classification."""

from __future__ import annotations

from shapecheck.models.lang import Answer, AnyValue, Blind, Flag, Need, Tensor, equal, one_of, op, result
from shapecheck.models.lang.needs import of_rank
from shapecheck.shapes.shape import UNRANKED, Shape

LOSS = {"logits": "inputs", "sequence_length": "logit_length", "time_major": "logits_time_major"}


@op("tf.nn.{ctc_loss,ctc_loss_v2}", was=LOSS, oracle="none: sparse labels")
def ctc_loss(labels: AnyValue, inputs: Tensor, logit_length: Tensor, logits_time_major: Flag = True) -> Answer:
    """A number for each sample; where the labels are dense, one length may do for all."""
    of_rank(inputs, 3)
    of_rank(logit_length, 1)
    if inputs.rank is None:
        return UNRANKED
    batch = inputs.shape.head[1 if logits_time_major else 0]
    said = f"{inputs.name} has {batch} samples, {logit_length.name} has shape {logit_length.shape}"
    needs = [one_of("axis", size, (batch, 1), said) for size in logit_length.shape.head if logit_length.rank]
    return result(Shape((batch,)), needs=needs)


@op("tf.nn.{ctc_greedy_decoder,ctc_beam_search_decoder,ctc_beam_search_decoder_v2}", oracle="none: sparse results")
def ctc_decoder(inputs: Tensor, sequence_length: Tensor) -> Answer:
    """A list of sparse tensors, and how likely each text is."""
    of_rank(inputs, 3)
    of_rank(sequence_length, 1)
    if inputs.rank is None or not sequence_length.rank:
        raise Blind("a list of sparse tensors")
    return UNRANKED, _samples(inputs, sequence_length)


def _samples(inputs: Tensor, lengths: Tensor) -> Need:
    """Each sample has a length."""
    batch, given = inputs.shape.head[1], lengths.shape.head[0]
    return equal("axis", batch, given, f"{inputs.name} has {batch} samples, {lengths.name} has {given}")
