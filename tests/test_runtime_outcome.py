"""Verdicts on runs, without any library."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.findings import Confirmation
from shapecheck.runtime.replay import devices
from shapecheck.runtime.replay.devices import CPU, Device, choose
from shapecheck.runtime.replay.verdict import Expectation, Mode, Run, combined, is_about_shapes, judge, one_line


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (
            "{{function_node __wrapped__MatMul_device_/job:localhost/device:CPU:0}} Matrix size-incompatible: "
            "In[0]: [2,3], In[1]: [4,5] [Op:MatMul] name: ",
            "Matrix size-incompatible: In[0]: [2,3], In[1]: [4,5]",
        ),
        (
            "Dimensions must be equal, but are 3 and 4 for '{{node MatMul}} = MatMul[T=DT_FLOAT](a, b)' "
            "with input shapes: [2,3], [4,5].",
            "Dimensions must be equal, but are 3 and 4 with input shapes: [2,3], [4,5].",
        ),
        (
            "Exception encountered when calling MaxPooling2D.call().\n\n\x1b[1mNegative dimension size\x1b[0m\n\n"
            "Arguments received by MaxPooling2D.call():\n  • inputs",
            "Negative dimension size",
        ),
        (
            'in user code:\n\n    File "a.py", line 1, in train  *\n        return step(x)\n'
            "    ValueError: Shapes (5, 7) and (5, 3) are incompatible\n",
            "Shapes (5, 7) and (5, 3) are incompatible",
        ),
        (
            "Graph execution error:\n\nDetected at node 'C' defined at (most recent call last):\n"
            "  File \"a.py\", line 1\nNode: 'C'\nScanOp: Expected scan axis\n\t [[{{node C}}]]",
            "ScanOp: Expected scan axis",
        ),
        ("object at 0x7f12345678ab", "object at 0x…"),
        ("", ""),
        ("x" * 1000, "x" * 299 + "…"),
    ],
)
def test_messages_become_one_line(message: str, line: str) -> None:
    assert one_line(message) == line


@pytest.mark.parametrize(
    ("run", "expects", "mode", "status"),
    [
        (Run("raised", ("ValueError", "Exception"), "bad", 5), "error", "graph", "confirmed"),
        (Run("raised", ("TypeError", "Exception"), "bad", 6), "error", "plain", "confirmed"),
        (Run("raised", ("TypeError", "Exception"), "bad", 6), "error", "graph", "not-reproducible"),
        (Run("raised", ("ValueError", "Exception"), "bad", 4), "error", "plain", "not-reproducible"),
        (Run("raised", ("AttributeError", "Exception"), "bad", 5), "error", "plain", "not-reproducible"),
        (Run("raised", ("AssertionError", "Exception"), "(2, 2)", 6), "result", "plain", "refuted"),
        (Run("raised", ("ValueError", "Exception"), "bad", 6), "result", "plain", "not-reproducible"),
        (Run("ran"), "error", "plain", "refuted"),
        (Run("ran"), "result", "plain", "confirmed"),
        (Run("crashed", text="SIGABRT"), "error", "plain", "crashed"),
        (Run("timed-out"), "error", "plain", "timed-out"),
        (Run("out-of-memory"), "error", "plain", "not-reproducible"),
        (Run("absent", text="tf.mul"), "error", "plain", "not-reproducible"),
        (Run("unavailable", text="TensorFlow is not installed"), "error", "plain", "not-reproducible"),
    ],
)
def test_verdicts(run: Run, expects: Expectation, mode: Mode, status: str) -> None:
    """An error counts at or after the fault, if it may be about shapes."""
    assert judge(run, fault_line=5, expects=expects, mode=mode).status == status


def test_guesses_refute_nothing() -> None:
    assert judge(Run("ran"), fault_line=1, expects="error", mode="plain", guessed=True).status == "not-reproducible"


@pytest.mark.parametrize(
    ("run", "last", "status"),
    [
        (Run("raised", ("ValueError",), "a symbolic tensor", 9, (9, 6)), 7, "confirmed"),
        (Run("raised", ("ValueError",), "a symbolic tensor", 9, (9, 6, 3)), 7, "not-reproducible"),
        (Run("raised", ("ValueError",), "another matter", 9, (9, 6)), 7, "not-reproducible"),
        (Run("raised", ("ValueError",), "a symbolic tensor", 9, (9, 3)), 0, "confirmed"),
        (Run("raised", ("ValueError",), "a symbolic tensor", 4, (4,)), 0, "not-reproducible"),
        (Run("raised", ("ObservedError",), "5 traces", 1, (1,)), 7, "confirmed"),
        (Run("ran"), 7, "refuted"),
    ],
)
def test_errors_of_staging_have_their_words_and_their_place(run: Run, last: int, status: str) -> None:
    said = judge(run, fault_line=5, expects="staged", mode="plain", fault_end=last, symptom="symbolic")
    assert said.status == status


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("cannot compute Mul as input #1 was expected to be a int32 tensor but is a float tensor", "confirmed"),
        ("Incompatible shapes: [2] vs. [3]", "not-reproducible"),
    ],
)
def test_mixed_dtypes_are_confirmed_by_an_error_about_dtypes(text: str, status: str) -> None:
    run = Run("raised", ("InvalidArgumentError",), text, 5)
    assert judge(run, fault_line=5, expects="dtype error", mode="plain").status == status


@pytest.mark.parametrize(
    ("classes", "message", "telling"),
    [
        (["InvalidArgumentError"], "Incompatible shapes: [2,3] vs. [2,4]", True),
        (["AxisError", "ValueError", "IndexError"], "axis 5 is out of bounds", True),
        (["NotImplementedError", "RuntimeError"], "not yet", False),
        (["TypeError"], "zeros() got an unexpected keyword argument 'dim'", False),
        (["InvalidArgumentError"], "input #1 was expected to be a int32 tensor but is a float tensor", False),
        (["LinAlgError", "ValueError"], "Singular matrix", False),
    ],
)
def test_errors_about_other_matters_confirm_nothing(classes: list[str], message: str, telling: bool) -> None:
    assert is_about_shapes(classes, message) is telling


def test_the_most_telling_device_speaks() -> None:
    """A fault on one device is a fault; the devices that agree are named."""
    said = [
        Confirmation("refuted", "gpu:0"),
        Confirmation("confirmed", "cpu", text="axis"),
        Confirmation("confirmed", "gpu:1"),
    ]
    assert combined(said) == Confirmation("confirmed", "cpu, gpu:1", text="axis")


def test_devices_are_chosen_from_what_is_there() -> None:
    gpus = [Device("gpu:0", "0"), Device("gpu:1", "1")]
    assert choose("cpu", gpus) == [CPU]
    assert choose("gpu", gpus) == gpus
    assert choose("all", gpus) == [CPU, *gpus]
    assert choose("gpu", []) == []
    with pytest.raises(ValueError, match="expected cpu, gpu or all"):
        choose("tpu", gpus)


def test_visible_gpus_are_those_of_the_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CUDA_VISIBLE_DEVICES hides and orders them."""
    monkeypatch.setattr(devices, "DEVICE_FOLDER", tmp_path)
    monkeypatch.setattr(devices, "GPU_FOLDER", tmp_path / "absent")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert devices.visible_gpus() == []
    for name in ("nvidia0", "nvidia1", "nvidiactl"):
        (tmp_path / name).touch()
    assert devices.visible_gpus() == [Device("gpu:0", "0"), Device("gpu:1", "1")]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert devices.visible_gpus() == [Device("gpu:0", "1")]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")
    assert devices.visible_gpus() == []
