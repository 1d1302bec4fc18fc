"""Excerpts of programs: what leads to a place, without what reaches outside."""

from __future__ import annotations

import pytest

from shapecheck.runtime.replay.excerpt import Excerpt, excerpt
from shapecheck.runtime.replay.program import Unrenderable
from shapecheck.source import Place, Source


def taken(program: str, place: str, sample: str = "") -> Excerpt:
    """Return the excerpt that leads to the last place with a text; `sample` is the code for what is read."""
    source = Source("a.py", program)
    start = program.rindex(place)
    return excerpt(Place(source, start, start + len(place)), lambda start, end: sample)


@pytest.mark.parametrize(
    ("program", "kept"),
    [
        ("import math\nn = 2\nm = 3\nuse(n)\nmore(m)\n", [2, 4]),
        ("d = {}\ndef f():\n    d[1] = 2\ndef g():\n    return d\nf()\nuse(d)\n", [1, 2, 3, 6, 7]),
        ("n = 0\nfor i in range(3):\n    n += i\nuse(n)\n", [1, 2, 3, 4]),
        ("n = 2\nif __name__ == '__main__':\n    m = 3\n    use(n)\n    more(n)\n", [1, 2, 4]),
        ("import numpy as np\nnp.random.seed(1)\nprint('a')\nuse(np)\n", [1, 2, 4]),
        ("import jax\n@jax.custom_jvp\ndef f(x): ...\n@f.defjvp\ndef g(x): ...\nuse(f)\n", [1, 2, 3, 4, 5, 6]),
    ],
)
def test_only_what_a_place_depends_on_is_kept(program: str, kept: list[int]) -> None:
    made = taken(program, "use")
    assert made.rows() == kept
    assert made.lines() == [program.splitlines()[row - 1] for row in kept]
    assert not made.is_partial


def test_what_only_reaches_outside_is_left_out() -> None:
    program = (
        "import matplotlib.pyplot as plt\ndef f(m):\n    m.save('a')\n    plt.show(\n        1)\n    return m\nf(2)\n"
    )
    made = taken(program, "f(2)")
    assert made.lines() == ["def f(m):", "    ...", "    ...", "", "    return m", "f(2)"]
    assert made.is_partial


def test_what_is_read_is_replaced_by_a_sample() -> None:
    made = taken("import numpy as np\nx = np.load('a')[0] + 1\nf(x)\n", "f(x)", sample="zeros((2, 3))")
    assert made.lines() == ["x = zeros((2, 3))", "f(x)"]
    assert made.is_partial


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("import numpy as np\nx = np.load('a')\nf(x)\n", "depends on load"),
        ("import subprocess\nx = subprocess.run('ls')\nf(x)\n", "depends on subprocess"),
        ("import os\nx = os.remove('a')\nf(x)\n", "depends on os"),
        ("from os import remove\nx = remove('a')\nf(x)\n", "depends on remove"),
        ("import os\nx = getattr(os, 'remove')\nf(x)\n", "depends on os"),
        ("from helpers import x\nf(x)\n", "depends on x"),
        ("from scipy.io.wavfile import read\nx = read('a')\nf(x)\n", "depends on read"),
        ("import scipy\nx = scipy.io.loadmat('a')\nf(x)\n", "depends on io"),
        ("from sklearn import datasets\nx = datasets.fetch_lfw_people()\nf(x)\n", "depends on fetch_lfw_people"),
        ("with open('a') as x:\n    f(x)\n", "depends on open"),
        ("x = ().__class__.__subclasses__()\nf(x)\n", "depends on __subclasses__"),
        ("def g(x):\n    f(x)\n", "is in a function that the program does not call"),
    ],
)
def test_a_program_that_reaches_outside_has_no_excerpt(program: str, reason: str) -> None:
    with pytest.raises(Unrenderable, match=reason):
        taken(program, "f(x)")


def test_names_of_the_program_mean_what_it_says() -> None:
    program = "import os\ndef load(path):\n    return os.path.join('a', path)\nx = load('b')\nf(x)\n"
    assert taken(program, "f(x)").lines() == program.splitlines()


def test_what_is_added_moves_the_lines_below() -> None:
    made = taken("m = 1\nn = 2\ndef f(a):\n    return a\nf(n)\n", "f(n)")
    made.insert(4, "note()")
    start = made.source.text.index("f(n)")
    made.wrap(start, start + 4, "seen(")
    assert made.lines() == ["n = 2", "def f(a):", "    note()", "    return a", "seen(f(n))"]
    assert [made.line_of(row) for row in (2, 3, 4, 5)] == [1, 2, 4, 5]
