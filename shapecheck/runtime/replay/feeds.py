"""Replays of data passed to a program: the feeds of a session, and the data of a Keras model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.domain.values import NONE, Dict, Ref, Tensor, Value
from shapecheck.runtime.replay.program import Unrenderable
from shapecheck.runtime.replay.render import keyword_text
from shapecheck.runtime.replay.write import Writer

_LIMITS = {
    "fit": "epochs=1, steps_per_epoch=1, verbose=0",
    "evaluate": "steps=1, verbose=0",
    "predict": "steps=1, verbose=0",
    "train_on_batch": "",
    "test_on_batch": "",
    "predict_on_batch": "",
}
_DATA = ("x", "y", "batch_size", "sample_weight")


def is_session_feed(clash: Clash) -> bool:
    """Return whether the clash is between a placeholder and its feed."""
    return clash.kind == ClashKind.FEED and next(_feeds(clash), None) is not None


def is_model_feed(clash: Clash) -> bool:
    """Return whether the clash is between a Keras model and its data."""
    step = clash.step
    return step.name.rpartition(".")[2] in _LIMITS and bool(step.args) and isinstance(step.args[0], Ref)


def _feeds(clash: Clash) -> Iterator[tuple[Tensor, Value]]:
    """Return placeholders with their feeds, those of the clash first; any tensor of the graph may be fed."""
    for value in (*clash.step.args, *(value for _, value in clash.step.keywords)):
        for key, item in value.items if isinstance(value, Dict) else ():
            if isinstance(key, Tensor) and key.library == "tf" and key in clash.operands:
                yield key, item
    first, second = (*clash.operands, NONE, NONE)[:2]
    for placeholder, data in ((first, second), (second, first)):
        if is_placeholder(placeholder) and data != NONE:
            yield placeholder, data
    for value in (*clash.step.args, *(value for _, value in clash.step.keywords)):
        for key, item in value.items if isinstance(value, Dict) else ():
            if is_placeholder(key):
                yield key, item


def is_placeholder(value: Value) -> TypeGuard[Tensor]:
    """Return whether a value is a placeholder of TensorFlow; inputs of Keras models are not."""
    return isinstance(value, Tensor) and value.role == "placeholder" and value.library == "tf"


def write_session_feed(writer: Writer, clash: Clash) -> int:
    """Write a session with the feed of the clash; return the index of the failing line."""
    placeholder, data = next(_feeds(clash))
    program = writer.program
    name = writer.placeholder(placeholder)
    fed = writer.values.text(data)
    program.add(f"with {program.library('tf.Session')}() as session:")
    run = f"    session.run({program.library('tf.identity')}({name}), feed_dict={{{name}: {fed}}})"
    return program.add(run, clash.step.place)


def write_model_feed(writer: Writer, clash: Clash) -> int:
    """Write one step of the model on its data; return the index of the failing line."""
    step = clash.step
    method = step.name.rpartition(".")[2]
    try:
        model = writer.values.text(step.args[0])
    except Unrenderable:
        return _write_small_model(writer, clash)
    given = dict(zip(_DATA, step.args[1:], strict=False)) | {
        name: value for name, value in step.keywords if name in (*_DATA, "validation_data")
    }
    try:
        texts = [keyword_text(name, writer.values.text(value)) for name, value in given.items()]
    except Unrenderable:
        if clash.kind != ClashKind.FEED:
            raise
        return _write_small_model(writer, clash)
    writer.values.has_guessed |= clash.kind != ClashKind.FEED  # only the first step is run
    limits = [_LIMITS[method]] if _LIMITS[method] else []
    return writer.program.add(f"{model}.{method}({', '.join(texts + limits)})", step.place)


def _write_small_model(writer: Writer, clash: Clash) -> int:
    """Write a model that returns its input, for a clash whose model or data cannot be written."""
    match clash.operands:
        case (Tensor(library="keras") as entry, data, *_) | (data, Tensor(library="keras") as entry, *_):
            pass
        case _:
            raise Unrenderable("uses a model of unknown layers")
    program = writer.program
    inputs = program.fresh("inputs")
    program.add(f"{inputs} = {writer.values.source(entry, batch=False)}", writer.origin(entry))
    fed = writer.values.text(data)
    model = program.fresh("model")
    outputs = f"{program.library('keras.layers.Activation')}('linear')({inputs})"  # inputs alone are no outputs
    program.add(f"{model} = {program.library('keras.Model')}({inputs}, {outputs})")
    return program.add(f"{model}.predict({fed}, verbose=0)", clash.step.place)
