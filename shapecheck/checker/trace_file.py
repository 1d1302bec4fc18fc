"""Abstract trace of one file, with what it imports."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from shapecheck.dataflow.calls.transcripts import Transcripts
from shapecheck.dataflow.entry_points import trace
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.dataflow.interpreter.assembly import new_tracer
from shapecheck.dataflow.state.observations import Observations
from shapecheck.dataflow.state.program import Program
from shapecheck.dataflow.tracer import Tracer
from shapecheck.frontend.deep import with_deep_stack
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.source import Source


def trace_file(
    parsed: ParsedFiles,
    source: Source,
    *,
    make: Callable[[Program], Tracer] = new_tracer,
    observe: bool = False,
    at_rest: Callable[[Tracer], object] | None = None,
    on_clash: Callable[[Clash], object] | None = None,
    transcripts: Transcripts | None = None,
    use_defaults: bool = False,
    for_keras_3: bool = False,
    with_data: bool = False,
    root: Path | None = None,
    is_main: bool = True,
    is_later: bool = False,
    is_brief: bool = False,
) -> Tracer:
    """Return the tracer of a file after its analysis; `make` creates it.

    With `observe` the value of every expression is recorded; `at_rest` is called between the statements of modules,
    and `on_clash` with each clash; `transcripts` tell the results of calls in earlier traces; with `use_defaults` the
    program has an empty command line; with `for_keras_3` it is run by Keras 3 unless it tells another version; with
    `with_data` the headers of the files that it reads are known; `root` is an additional folder for imports; unless it
    `is_main`, what runs in `__main__` alone is left out; a trace that `is_later`, with other assumptions than the first
    one of a file, has a smaller budget; one that `is_brief` has the smallest, and leaves out the functions that no
    script calls.
    """
    tracer = make(Program(parsed, parsed.checked, root))
    tracer.options.use_defaults, tracer.options.is_main = use_defaults, is_main
    tracer.options.is_later, tracer.options.is_brief = is_later, is_brief
    tracer.program.is_for_keras_3 = for_keras_3
    tracer.program.data.are_known, tracer.program.data.folders = with_data, parsed.data_folders
    tracer.budget.is_wanted = parsed.is_wanted
    if observe:
        tracer.observed = Observations()
    if at_rest is not None:
        tracer.at_rest = partial(at_rest, tracer)
    tracer.on_clash = on_clash
    if transcripts is not None:
        tracer.share(transcripts)
    with without_garbage_collection():
        with_deep_stack(lambda: trace(tracer, [source]))
    return tracer


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Disable the cyclic garbage collector: a tracer makes hardly any cycles, and searching costs a fifth of the
    run."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
