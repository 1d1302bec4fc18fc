"""Replays on the real libraries: confirmations, refutations, and survival of crashes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from shapecheck.checker import confirm as confirming
from shapecheck.clash_kind import ClashKind
from shapecheck.config import Config
from shapecheck.domain.values import NONE, TRUE, Const, Dict, Library, Ref, Seq, Tensor, Value
from shapecheck.findings import Confirmation
from shapecheck.models.lang.context import Target
from shapecheck.runtime.replay import supervise
from shapecheck.runtime.replay.devices import CPU, Device
from shapecheck.runtime.replay.plan import Plan, plan
from shapecheck.runtime.replay.supervise import Pool, Setup, confirm
from shapecheck.shapes.shape import ranked
from shapecheck.shapes.size import Kind, Size, fresh
from tests.test_runtime_plan import TF1, TF2, UNTOLD, WRONG, Trace, clash, matmul, np_array, tf_tensor

pytestmark = pytest.mark.slow

KERAS2 = Target(tensorflow=2, keras=2)


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool() as made:
        yield made


def call(name: str, *args: Value, target: Target = TF2, kind: ClashKind = ClashKind.AXIS, **keywords: Value) -> Plan:
    """Return the plan for a single call."""
    trace = Trace()
    return planned(trace, trace.step("f(…)", name, *args, **keywords), target=target, kind=kind)


def planned(
    trace: Trace, step: object, *operands: Value, target: Target = TF2, kind: ClashKind = ClashKind.AXIS
) -> Plan:
    made = plan(trace.graph, clash(step, WRONG, *operands, kind=kind), target)  # type: ignore[arg-type]
    assert isinstance(made, Plan), made
    return made


def written(program: str, fault_line: int = 1, library: str = "numpy") -> Plan:
    """Return a plan with a given program."""
    return Plan(program, fault_line, library, (library,))


@pytest.mark.parametrize("target", [TF2, TF1, UNTOLD])
def test_a_true_clash_is_confirmed_in_the_words_of_the_library(pool: Pool, target: Target) -> None:
    trace = Trace()
    made = plan(trace.graph, matmul(trace, trace.zeros("x", 2, 128), trace.zeros("w", 64, 10)), target)
    assert isinstance(made, Plan)
    verdict = pool.confirm(made)
    assert (verdict.status, verdict.device, verdict.error) == ("confirmed", "cpu", "ValueError")
    assert verdict.library.startswith("tensorflow 2.")
    assert verdict.text == "Dimensions must be equal, but are 128 and 64 with input shapes: [2,128], [64,10]."


@pytest.mark.parametrize("target", [TF2, TF1])
def test_a_wrong_clash_is_refuted(pool: Pool, target: Target) -> None:
    trace = Trace()
    made = plan(trace.graph, matmul(trace, trace.zeros("x", 2, 64), trace.zeros("w", 64, 10)), target)
    assert isinstance(made, Plan)
    confirmation = pool.confirm(made)
    assert confirmation.status == "refuted", confirmation.text


@pytest.mark.parametrize(
    ("made", "error", "text"),
    [
        (call("np.+", np_array(3), np_array(4)), "ValueError", "could not be broadcast together"),
        (call("np.[]", np_array(3), Const(5)), "IndexError", "out of bounds"),
        (call("np.ndarray.reshape", np_array(2, 3), Const(4), Const(-1)), "ValueError", "cannot reshape"),
        (
            call("tf.nn.conv2d", tf_tensor(2, 2, 3), tf_tensor(3, 3, 3, 4), Const(1), Const("SAME")),
            "ValueError",
            "must be rank 4 but is rank 3",
        ),
        (
            call("tf.nn.conv2d", tf_tensor(1, 2, 2, 3), tf_tensor(3, 3, 3, 4), Const(1), Const("VALID")),
            "ValueError",
            "Negative dimension",
        ),
        (
            call("tf.nn.max_pool2d", tf_tensor(1, 2, 2, 3), Const(3), Const(1), Const("VALID")),
            "ValueError",
            "Negative dimension",
        ),
        (call("tf.cumsum", tf_tensor(2, 3), Const(5)), "InvalidArgumentError", "scan axis"),
        (call("tf.cumsum", tf_tensor(2, 3), Const(5), target=TF1), "InvalidArgumentError", "scan axis"),
        (call("tf.reduce_sum", tf_tensor(2, 3), Const(5), keep_dims=TRUE, target=UNTOLD), "ValueError", "dimension 5"),
        (call("tf.matrix_inverse", tf_tensor(2, 3), target=UNTOLD), "ValueError", "must be equal"),
    ],
)  # fmt: skip
def test_errors_of_many_kinds(pool: Pool, made: Plan, error: str, text: str) -> None:
    """Errors of shape functions and of kernels, in every version that has the name."""
    verdict = pool.confirm(made)
    assert (verdict.status, verdict.error) == ("confirmed", error)
    assert text in verdict.text


@pytest.mark.parametrize("target", [TF2, KERAS2, UNTOLD])
def test_a_layer_remembers_its_first_input(pool: Pool, target: Target) -> None:
    trace = Trace()
    layer = trace.object("d = Dense(3)", "keras.layers.Dense", Const(3))
    trace.step("d(x)", "keras.layers.Dense.__call__", layer, tf_tensor(2, 128), result=tf_tensor(2, 3))
    step = trace.step("y = d(x)", "keras.layers.Dense.__call__", layer, tf_tensor(2, 64))
    verdict = pool.confirm(planned(trace, step, target=target, kind=ClashKind.LAYER_INPUT))
    assert verdict.status == "confirmed"
    assert "128" in verdict.text
    assert ("tf-keras" in verdict.library) == (target == KERAS2)


def test_layers_are_added_to_the_model_they_fail_in(pool: Pool) -> None:
    trace = Trace()
    model = trace.object("m = Sequential()", "keras.Sequential")
    layer = trace.object("d = Conv2D(3, 5)", "keras.layers.Conv2D", Const(3), Const(5))
    trace.step("m.add(d)", "keras.Sequential.add", model, layer)
    step = trace.step("m(x)", "keras.Sequential.__call__", model, tf_tensor(1, 8, 8))
    verdict = pool.confirm(planned(trace, step, kind=ClashKind.RANK))
    assert verdict.status == "confirmed"
    assert "expected min_ndim=4, found ndim=3" in verdict.text


def test_what_a_placeholder_is_fed(pool: Pool) -> None:
    trace = Trace()
    shape = Seq("list", (NONE, Const(784)))
    entry = Tensor(ranked(fresh("B", Kind.DYNAMIC), 784), "float32", "tf", role="placeholder")
    entry = trace.tensor("x = tf.placeholder(…)", "tf.placeholder", Library("tf.float32"), shape, of=entry)
    session, data = trace.object("s = tf.Session()", "tf.Session"), np_array(5, 28, 28)
    step = trace.step("s.run(x)", "tf.Session.run", session, entry, Dict(((entry, data),)))
    for operands in ((), (entry, data)):
        verdict = pool.confirm(planned(trace, step, *operands, kind=ClashKind.FEED, target=UNTOLD))
        assert verdict.status == "confirmed"
        assert verdict.text.startswith("Cannot feed value of shape (5, 28, 28)")


def functional(trace: Trace) -> tuple[Tensor, Ref]:
    """Return a model from 8 columns to 3, and its input."""
    rows = fresh("B", Kind.DYNAMIC)
    entry = Tensor(ranked(rows, 8), "float32", "keras")
    entry = trace.tensor("x = Input((8,))", "keras.Input", shape=Seq("tuple", (Const(8),)), of=entry)
    layer = trace.object("d = Dense(3)", "keras.layers.Dense", Const(3))
    out = trace.tensor("d(x)", "keras.layers.Dense.__call__", layer, entry, of=replace(entry, shape=ranked(rows, 3)))
    model = trace.object("m = Model(x, y)", "keras.Model", entry, out)
    trace.step("m.compile(loss='mse')", "keras.Model.compile", model, loss=Const("mse"))
    return entry, model


@pytest.mark.parametrize("target", [TF2, KERAS2])
def test_what_a_model_is_given(pool: Pool, target: Target) -> None:
    """The model is built as in the program; a small one replaces it if its construction is unknown."""
    trace = Trace()
    entry, model = functional(trace)
    narrow, labels = np_array(5, 9), np_array(5, 7)
    cases = [
        (trace.step("m.predict(x)", "keras.Model.predict", model, narrow), ()),
        (trace.step("m.fit(x, y, …)", "keras.Model.fit", model, np_array(5, 8), labels, epochs=Const(90)), ()),
        (trace.step("m.fit(x)", "keras.Model.fit", Ref(99, "user"), narrow), (entry, narrow)),
    ]
    for step, operands in cases:
        verdict = pool.confirm(planned(trace, step, *operands, target=target, kind=ClashKind.FEED))
        assert verdict.status == "confirmed", verdict
    fine = trace.step("m.predict(x)", "keras.Model.predict", model, np_array(5, 8))
    assert pool.confirm(planned(trace, fine, target=target, kind=ClashKind.FEED)).status == "refuted"


def pattern(*sizes: Size, target: Target = TF2) -> Plan:
    """Return a column minus a row of the same length, with these predicted sizes."""
    trace = Trace()
    rows = sizes[0]
    column, row = trace.zeros("a", rows, 1), trace.zeros("b", rows)
    step = trace.step("a - b", "tf.-", column, row, result=tf_tensor(*sizes))
    made = plan(trace.graph, clash(step, None, kind=ClashKind.STRETCH_BOTH), target)
    assert isinstance(made, Plan), made
    return made


def test_a_pattern_is_confirmed_by_the_shape_of_the_result(pool: Pool) -> None:
    rows = fresh("n", Kind.FREE)
    assert "assert tuple(result.shape) == (2, 2), tuple(result.shape)" in pattern(rows, rows).program
    for target in (TF2, TF1):
        assert pool.confirm(pattern(rows, rows, target=target)).status == "confirmed"
    verdict = pool.confirm(pattern(rows, rows, 1))
    assert (verdict.status, verdict.text) == ("refuted", "(2, 2)")


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (call("tf.mul", tf_tensor(2), tf_tensor(3), target=UNTOLD), "tf.mul is gone from TensorFlow 2."),
        (call("tf.zeros", Seq("list", (Const(2),)), no_such=Const(1)), "the replay fails for another reason"),
        (
            call("tf.+", Tensor(ranked(2), "int32"), Tensor(ranked(2), "float32")),
            "the replay fails for another reason, with InvalidArgumentError",
        ),
        (written("x = 1 // 0\ny = 1", 2), "the replay fails earlier, with ZeroDivisionError"),
        (written("import numpy as np\nx = np.zeros((1 << 20, 1 << 20))", 2), "the replay needs too much memory"),
    ],
)
def test_what_cannot_be_reproduced_says_why(pool: Pool, made: Plan, text: str) -> None:
    verdict = pool.confirm(made)
    assert verdict.status == "not-reproducible"
    assert verdict.text.startswith(text)


def test_a_program_that_kills_its_process_is_a_crash(pool: Pool) -> None:
    """The worker continues afterwards."""
    assert pool.confirm(written("import os\nos.abort()")) == Confirmation(
        "crashed", "cpu", pool.confirm(written("1")).library, "SIGABRT", "the library ended the process (SIGABRT)"
    )
    assert pool.confirm(written("import os\nos._exit(3)")).error == "exit code 3"
    assert pool.confirm(written("raise ValueError('shapes')")).status == "confirmed"


def test_a_program_that_hangs_is_ended_with_all_it_started() -> None:
    mark = f"98{os.getpid()}"  # of this run of the tests alone
    text = f"import subprocess\nsubprocess.Popen(['sleep', '{mark}'])\nwhile True: pass"
    (verdict,) = confirm([written(text)], seconds=0.5)
    assert (verdict.status, verdict.text) == ("timed-out", "no result after 0.5 s")
    deadline = time.monotonic() + 10  # what is killed may take a moment to be gone
    while _asleep(mark) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not _asleep(mark)


def _asleep(mark: str) -> list[str]:
    """Return the living processes that sleep for this long."""
    listing = subprocess.run(["ps", "-eo", "stat,args"], capture_output=True, text=True, check=True).stdout
    return [line for line in listing.splitlines() if f"sleep {mark}" in line and not line.startswith("Z")]


def test_a_dead_worker_is_started_again() -> None:
    """A crash of the worker itself costs one answer, not the session."""
    with Pool() as pool:
        killed = pool.confirm(written("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"))
        assert (killed.status, killed.text) == ("crashed", "the library ended the process (the worker process ended)")
        assert pool.confirm(written("raise IndexError('axis')")).status == "confirmed"
        (worker,) = pool.workers.values()
        assert worker.starts == 2


def test_a_hundred_replays_take_one_import(pool: Pool) -> None:
    trace = Trace()
    for columns in range(100):
        made = plan(trace.graph, matmul(trace, tf_tensor(2, columns), tf_tensor(100, 10)), TF2)
        assert isinstance(made, Plan)
        assert pool.confirm(made).status == "confirmed"
    worker = pool.workers[Setup(("tensorflow", "keras"), CPU)]
    assert worker.served >= 100
    assert worker.starts == 1
    assert worker.imports == 2  # TensorFlow and Keras, once each


def test_nothing_of_the_user_is_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules beside the program are not imported, not even those with the names of libraries."""
    for name in ("numpy", "sitecustomize", "json", "train"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", ".")
    (verdict,) = confirm([call("np.+", np_array(3), np_array(4))])
    assert verdict.status == "confirmed"
    assert not (tmp_path / "executed").exists()


def test_this_process_never_imports_the_libraries() -> None:
    code = (
        "import sys; from shapecheck.runtime.replay.supervise import confirm;"
        "from shapecheck.runtime.replay.plan import Plan;"
        "print(confirm([Plan('1 / 1', 1, 'numpy', ('numpy',))])[0].status, {'numpy', 'tensorflow'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "refuted set()"


def test_progress_and_reasons() -> None:
    """A text in place of a plan is the reason; progress counts the plans that are done."""
    seen: list[tuple[int, int]] = []
    answers = confirm(["no way", written("raise ValueError('x')")], progress=lambda *at: seen.append(at))
    assert [answer.status for answer in answers] == ["not-reproducible", "confirmed"]
    assert answers[0].text == "no way"
    assert seen == [(0, 2), (1, 2), (2, 2)]
    assert confirm([call("tf.abs", tf_tensor(2))], devices=[])[0].text == "no GPU is visible"


def test_numpy_calls_on_a_gpu_are_those_of_cupy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """CuPy is used if it is installed, here in name only; otherwise NumPy alone."""
    gpu, wrong = Device("gpu:0", "0"), call("np.+", np_array(3), np_array(4))
    assert confirm([wrong], devices=[CPU, gpu])[0].device == "cpu"
    (tmp_path / "cupy.py").write_text("from numpy import *\n__version__ = '13.0'\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (verdict,) = confirm([wrong], devices=[CPU, gpu])
    assert (verdict.status, verdict.device) == ("confirmed", "cpu, gpu:0")


def test_a_library_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A missing library is a reason, given once for all."""
    (tmp_path / "tensorflow.py").write_text("raise ModuleNotFoundError('No module', name='tensorflow')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Pool() as pool:
        for _ in range(2):
            verdict = pool.confirm(call("tf.abs", tf_tensor(2)))
            assert (verdict.status, verdict.text) == ("not-reproducible", "TensorFlow is not installed")
        (worker,) = pool.workers.values()
        assert worker.starts == 1


@pytest.mark.parametrize(
    ("installed", "wanted", "backend"),
    [
        ({"tensorflow", "jax", "torch"}, "jax", "tensorflow"),
        ({"jax", "torch"}, "torch", "torch"),
        ({"jax", "torch"}, "", "jax"),
        ({"torch"}, "jax", "torch"),
        (set(), "", "tensorflow"),
    ],
)
def test_keras_alone_computes_with_what_there_is(
    monkeypatch: pytest.MonkeyPatch, installed: set[str], wanted: str, backend: str
) -> None:
    """A replay of Keras 3 needs no TensorFlow; its description names the backend."""
    monkeypatch.setenv("KERAS_BACKEND", wanted)
    monkeypatch.setattr(supervise.importlib.util, "find_spec", lambda name: name if name in installed else None)
    supervise.keras_backend.cache_clear()
    made = call("keras.ops.matmul", tf_tensor(2, 3), tf_tensor(4, 5))
    assert made.modules == ("keras",)
    assert "keras.ops.zeros([2, 3])" in made.program
    setup = supervise.setup_of(made, CPU)
    supervise.keras_backend.cache_clear()
    assert setup.modules == (backend, "keras")
    assert supervise.environment(setup, "")["KERAS_BACKEND"] == backend


def test_only_the_making_of_an_application_names_weights() -> None:
    corpus = Path(__file__).parent.parent / "corpus"
    (program,) = corpus.rglob("transfer-learning-input-size/buggy.py")
    lines = [line for line in confirming.repro(program, 18, Config()).splitlines() if not line.startswith("#")]
    made, called = (line for line in lines if "MobileNetV2(" in line or "= mobile_net_v2(" in line)
    assert "weights=None" in made
    assert "weights" not in called
