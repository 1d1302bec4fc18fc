"""Models are loaded on demand, and the index of their modules is correct."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from shapecheck.models.lang.loading import digest

INDEX = Path(__file__).resolve().parent.parent / "shapecheck" / "models" / "index.json"

ALONE = """
import importlib
from shapecheck.models.lang.loading import index
from shapecheck.models.lang.registry import ATTRIBUTES, REGISTRY
for names, table in ((index().calls, REGISTRY), (index().attributes, ATTRIBUTES)):
    for module in sorted(set(names.values()), reverse={backwards}):
        importlib.import_module("shapecheck.models." + module)
        lacking = [name for name, where in names.items() if where == module and name not in table]
        assert not lacking, (module, lacking[:5])
"""


@pytest.fixture
def fresh() -> None:
    """Return the fresh index; `tests/test_docs.py` checks the file."""
    if digest() != json.loads(INDEX.read_text(encoding="utf-8"))["sources"]:
        pytest.skip("the index is not that of these files: run `make docs`")


def run(program: str) -> str:
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran.stdout


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("backwards", [False, True])
def test_each_module_registers_its_names(backwards: bool) -> None:
    """The order of imports does not matter."""
    run(ALONE.format(backwards=backwards))


def loaded(name: str) -> set[str]:
    """Return the modules of models that are imported when a name is looked up."""
    program = "import sys\nfrom shapecheck.models.lang.registry import lookup\n"
    program += (
        f"assert lookup({name!r})\nprint(*(each for each in sys.modules if each.startswith('shapecheck.models.')))"
    )
    families = {".".join(each.split(".")[2:4]) for each in run(program).split()}
    return {family for family in families if "." in family and not family.startswith("lang.")}


@pytest.mark.usefixtures("fresh")
def test_a_program_of_numpy_needs_no_layers() -> None:
    assert not any(family.startswith(("layers.", "training.", "data.")) for family in loaded("np.concatenate"))


def test_a_layer_is_found() -> None:
    assert "layers.core" in loaded("keras.layers.Dense")


def test_an_index_that_is_not_fresh_is_not_believed() -> None:
    program = "from shapecheck.models.lang import loading\nloading.digest = str\n"
    program += "from shapecheck.models.lang.registry import lookup\n"
    program += "assert loading.index() is None and lookup('keras.layers.Dense') and loading._loaded"
    run(program)
