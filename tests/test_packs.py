"""Libraries are known to their packs, and to nothing else; packs of other distributions are used if they are named."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from shapecheck import toml
from shapecheck.models.lang.packs import BUILT_IN, Pack, enter, pack_of
from shapecheck.models.lang.traits import has

PACKAGE = Path(__file__).resolve().parent.parent / "shapecheck"
KNOWING = ("models", "runtime", "live", "evaluation", "testing")
"""The packages that are about real libraries."""
NAMED = re.compile(r'"(?:tf|np|keras|numpy|tensorflow|sklearn|pandas|scipy|jax|flax|optax|torch)[."]')
LEFT = {
    "checker/model_tables.py": 5,
    "checker/pipeline.py": 3,
    "cli/comparison.py": 1,
    "config.py": 3,
    "dataflow/builtins/numbers.py": 2,
    "dataflow/builtins/sequences.py": 2,
    "dataflow/builtins/types.py": 11,
    "dataflow/calls/library_calls.py": 1,
    "dataflow/graph/certain_dtypes.py": 6,
    "dataflow/havoc/uninitialized.py": 1,
    "dataflow/interpreter/assignment.py": 1,
    "dataflow/interpreter/reexecution.py": 3,
    "dataflow/objects/array_classes.py": 1,
    "dataflow/objects/attributes.py": 3,
    "dataflow/objects/library_methods.py": 2,
    "dataflow/operators/arithmetic.py": 1,
    "dataflow/operators/comparison.py": 3,
    "dataflow/paths/constraints.py": 3,
    "dataflow/paths/single_values.py": 1,
    "dataflow/stages/autograph.py": 2,
    "dataflow/stages/checks.py": 11,
    "dataflow/stages/converted_builtins.py": 5,
    "dataflow/stages/entering.py": 5,
    "dataflow/stages/exported_state.py": 1,
    "dataflow/stages/gradient_flow.py": 5,
    "dataflow/stages/graph_state.py": 1,
    "dataflow/stages/kept_tensors.py": 1,
    "dataflow/stages/loop_state.py": 1,
    "dataflow/stages/missing_results.py": 1,
    "dataflow/stages/own_graphs.py": 3,
    "dataflow/stages/plain_graphs.py": 2,
    "dataflow/stages/python_values.py": 2,
    "dataflow/stages/retracing.py": 1,
    "dataflow/stages/signatures.py": 2,
    "dataflow/stages/static_sizes.py": 3,
    "dataflow/stages/trace_time.py": 2,
    "dataflow/stages/unrolling.py": 2,
    "dataflow/words/declarations.py": 5,
    "dataflow/words/notation.py": 14,
    "dataflow/words/reading.py": 1,
    "domain/agreement.py": 2,
    "domain/values.py": 3,
    "findings.py": 5,
    "project/declared_versions.py": 4,
    "project/parsed_files.py": 1,
    "project/versions.py": 4,
    "repairs/arrays.py": 1,
    "repairs/axes.py": 2,
    "repairs/dtypes.py": 5,
    "repairs/layers.py": 2,
    "repairs/losses.py": 1,
    "repairs/names.py": 5,
    "repairs/program_text.py": 1,
    "repairs/situation.py": 17,
    "repairs/staging.py": 1,
    "rules/mismatch/axis_mismatch.py": 13,
    "rules/mismatch/broadcast_mismatch.py": 2,
    "rules/mismatch/cross_entropy_mismatch.py": 1,
    "rules/mismatch/feed_mismatch.py": 3,
    "rules/mismatch/rank_mismatch.py": 8,
    "rules/mismatch/undefined_input_axis.py": 1,
    "rules/patterns/argmax_default_axis.py": 1,
    "rules/patterns/constant_softmax.py": 1,
    "rules/patterns/mixed_dtypes.py": 1,
    "rules/patterns/silent_outer_broadcast.py": 3,
    "rules/provenance.py": 9,
    "rules/rewriting.py": 3,
    "rules/staging/loop_python_state.py": 1,
    "rules/staging/loop_shape_changes.py": 3,
    "rules/staging/loop_type_changes.py": 2,
    "rules/staging/state_created_when_traced.py": 1,
    "rules/staging/static_size_unknown.py": 1,
    "rules/staging/symbolic_to_numpy.py": 1,
}
"""How often a library is still named elsewhere, by file: an entry may only shrink."""


def test_nothing_else_names_a_library() -> None:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        count = len(NAMED.findall(path.read_text(encoding="utf-8")))
        if count and name.split("/")[0] not in KNOWING:
            found[name] = count
    more = {name: count for name, count in found.items() if count > LEFT.get(name, 0)}
    assert not more, "what is known of a library belongs to its pack: shapecheck/models/lang/packs.py, names.toml"
    assert found == LEFT, "fewer than listed here: shorten the list"


def test_a_name_belongs_to_one_pack() -> None:
    enter(BUILT_IN)  # which changes nothing
    with pytest.raises(ValueError, match="np is of NumPy already"):
        enter([Pack("Other", ("np",), ("other",))])
    assert pack_of("other") is None


def test_a_trait_is_of_a_name_or_of_all_below_it() -> None:
    assert has("np.random.rand", "draws a number")
    assert has("tf.Variable", "creates variables")
    assert not has("tf.Variable.assign", "creates variables")


# --- packs of other distributions ------------------------------------------------------------------------------------

DECLARATION = """
from shapecheck import toml
from shapecheck.models.lang.packs import Arrays, Pack

ARRAYS = Arrays("ours", "ours.Array", precedence=1)
PACK = Pack("Ours", ("ours",), ("ours", "ours_extra"), ARRAYS, package="ours_pack.models")
"""
MODELS = """
from shapecheck.models.lang import Answer, Size, Tensor, op


@op("ours.pair", operator="+")
def pair(x: Tensor, y: Tensor) -> Answer:
    return "*B n, *B n -> *B n 2"


@op("ours.windows", "ours.Array.windows")
def windows(x: Tensor, width: Size = 3) -> Answer:
    return "n -> {m} {width}", {"m": "n - width + 1"}, "n >= width"
"""
NAMES = """
[prefixes]
"ours_extra.fast" = "ours"
[constants]
"ours.width" = 4
"""
PROGRAM = """
import numpy as np
import ours
from ours_extra.fast import windows

windows(np.zeros(2))
rows = ours.windows(np.zeros(8), ours.width)
np.ones((3, 4)) + rows
windows(np.zeros(8)).windows()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    installed = tmp_path / "installed"
    (installed / "ours_pack" / "models").mkdir(parents=True)
    (installed / "ours_pack-1.0.dist-info").mkdir()
    (installed / "ours_pack-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: ours-pack\nVersion: 1.0\n"
    )
    (installed / "ours_pack-1.0.dist-info" / "entry_points.txt").write_text(
        "[shapecheck.packs]\nours = ours_pack:PACK\n"
    )
    (installed / "ours_pack" / "__init__.py").write_text(DECLARATION)
    (installed / "ours_pack" / "models" / "__init__.py").write_text("")
    (installed / "ours_pack" / "models" / "ops.py").write_text(MODELS)
    (installed / "ours_pack" / "models" / "names.toml").write_text(NAMES)
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "program.py").write_text(PROGRAM)
    (tmp_path / "project" / "shapecheck.toml").write_text('packs = ["ours"]\n')
    return tmp_path / "project"


def check(project: Path, *paths: Path) -> subprocess.CompletedProcess[str]:
    program = f"import sys; sys.path[1:1] = {[str(path) for path in paths]!r}; from shapecheck.cli import main; main()"
    command = [sys.executable, "-c", program, "check", "--output-format", "concise", "program.py"]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


def test_a_pack_that_is_installed_is_used(project: Path) -> None:
    found = check(project, project.parent / "installed")
    assert found.returncode == 1, found.stderr
    lines = [line.split(":")[1] for line in found.stdout.splitlines() if "[" in line]
    assert lines == ["6", "8", "9"], found.stdout


def test_a_pack_is_used_only_if_it_is_named(project: Path) -> None:
    (project / "shapecheck.toml").unlink()
    assert check(project, project.parent / "installed").returncode == 0


def test_a_pack_in_the_project_is_not_run(project: Path) -> None:
    for path in (project.parent / "installed").iterdir():
        path.rename(project / path.name)
    found = check(project, project)
    assert found.returncode == 2
    assert "no pack ours is installed" in found.stderr


# --- the pack of PyTensor --------------------------------------------------------------------------------------------

PYTENSOR = Path(__file__).resolve().parent.parent / "packs" / "pytensor"
SYMBOLIC = """
import numpy as np
import pytensor
import pytensor.tensor as pt

x = pt.tensor("x", shape=(5, 3))
weights, bias = pt.matrix("weights", shape=(3, 2)), pt.vector("bias", shape=(2,))
scores = pt.special.softmax(pt.dot(x, weights) + bias, axis=-1)
scores.reshape((4, 3))
pt.dot(x, pt.zeros((4, 2)))
scores + pt.vector("other", shape=(3,))
pt.concatenate([x, weights.T], axis=1)
x.sum(axis=2)
pytensor.shared(np.zeros((4, 4))) @ x
"""


def test_the_pack_of_pytensor(project: Path) -> None:
    """It is used as it lies there, beside what an installation writes."""
    installed = project.parent / "pytensor" / "shapecheck_pytensor-0.1.0.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: shapecheck-pytensor\nVersion: 0.1.0\n")
    declared = toml.loads((PYTENSOR / "pyproject.toml").read_text())["project"]["entry-points"]["shapecheck.packs"]
    (installed / "entry_points.txt").write_text(
        "[shapecheck.packs]\n" + "".join(f"{name} = {of}\n" for name, of in declared.items())
    )
    (project / "program.py").write_text(SYMBOLIC)
    (project / "shapecheck.toml").write_text('packs = ["pytensor"]\n')
    found = check(project, installed.parent, PYTENSOR)
    told = [line.partition(":")[2].partition(": ")[::2] for line in found.stdout.splitlines() if "[" in line]
    assert [(place.partition(":")[0], said.partition("]")[0]) for place, said in told] == [
        ("9", "error[element-count"),
        ("10", "error[axis-mismatch"),
        ("11", "error[broadcast-mismatch"),
        ("12", "error[axis-mismatch"),
        ("13", "error[axis-out-of-range"),
    ], found.stdout + found.stderr
