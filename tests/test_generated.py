"""Generated tables about the libraries agree with the installed libraries."""

from __future__ import annotations

import subprocess
import sys

import pytest

from shapecheck.models.lang import dtypes
from shapecheck.models.lang.bind import signatures
from shapecheck.models.lang.registry import REGISTRY, load
from shapecheck.models.layers.base_layer import LAYERS
from tests.support import generated
from tests.support.environments import ROOT
from tests.support.parameter_texts import present_now


@pytest.mark.slow
@pytest.mark.parametrize(
    "generator",
    [
        "generate_signatures",
        "generate_public_names",
        "generate_dtypes",
        "generate_refused_dtypes",
        "generate_refused_values",
    ],
)
def test_tables_are_fresh(generator: str) -> None:
    """Only a sample of the dtypes is checked, since all of them take long."""
    if generator == "generate_signatures" and sys.version_info < (3, 11, 7):
        pytest.skip("this release of Python tells other signatures of some classes")
    if others := generated.other_versions():
        pytest.skip(f"the tables are those of other versions than {others}")
    checked = [sys.executable, "-m", f"tests.support.{generator}", "--check"]
    ran = subprocess.run(checked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"run `make docs`: {ran.stderr[-500:]}"


@pytest.mark.slow
def test_tables_of_packs_are_fresh() -> None:
    checked = [sys.executable, "-m", "tests.support.generate_parameters", "packs", "--check"]
    ran = subprocess.run(checked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"run `python -m tests.support.generate_parameters packs`: {ran.stderr[-500:]}"


def test_tables_have_no_names_but_those_of_models() -> None:
    load()
    models = {name for name, model in REGISTRY.items() if model.definition.form in ("op", "layer")} | LAYERS.keys()
    for table in (present_now(), *signatures("older_signatures").values(), *dtypes.table().values()):
        assert [name for name in table if not models & {name, name.replace("tf.compat.v1.", "tf.")}] == []
