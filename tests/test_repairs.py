"""Repairs are offered only if they stand their trial: the finding is gone, and no other one appears."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from inspect import isfunction

from shapecheck import repairs
from shapecheck.changed_lines import edits_between
from shapecheck.clash_kind import ClashKind
from shapecheck.repairs.table import weighed
from shapecheck.source import Cell, Source
from tests.support.repairs import HEAD, MODEL, findings, first_fix


def test_two_faults_of_one_call_are_mended_together() -> None:
    body = (
        "x = np.zeros((30, 4, 5))\n"
        "model = keras.Sequential([keras.Input((20,)), layers.Dense(3, activation='softmax')])\n"
        "model.compile(loss='categorical_crossentropy')\n"
        "model.fit(x, np.zeros(30))\n"
    )
    sparse = body.replace("'categorical", "'sparse_categorical")
    assert first_fix(body) == sparse.replace("fit(x", "fit(x.reshape(len(x), -1)")


def test_a_fix_of_a_rule_that_does_not_help_is_withdrawn() -> None:
    body = "x = tf.ones([2, 3])\nprint(tf.matmul(x, tf.ones([3])) + tf.ones([7]))\n"
    (untried, *_), (tried, *_) = findings(HEAD + body, fixes=0), findings(HEAD + body)
    assert untried.fix is not None
    assert tried.fix is None or tried.fix.is_tried


def test_nothing_is_tried_where_nothing_is_wanted() -> None:
    assert all(not fix.is_tried for finding in findings(HEAD + MODEL, fixes=0) for fix in finding.fixes)


def test_edits_of_lines_between_two_texts() -> None:
    before, after = Source("a.py", "a\n\x0cb\nc"), Source("a.py", "a\n\x0cx\ny\nc\n")
    edits = edits_between(before, after)
    assert before.edited([(edit.place.start, edit.place.end, edit.text) for edit in edits]).text == after.text


def test_cells_move_with_the_lines_that_edits_add() -> None:
    source = Source("a.ipynb", "a = 1\nb = 2\nc = 3\n", (Cell(1, 1, 2), Cell(2, 3, 3)))
    after = source.edited([(5, 5, "\na = 5\na = 6"), (12, 13, "x")])
    assert after.text == "a = 1\na = 5\na = 6\nb = 2\nx = 3\n"
    assert after.cells == (Cell(1, 1, 4), Cell(2, 5, 5))


def test_every_repair_is_tried_for_some_kind_of_clash() -> None:
    names = [module.name for module in pkgutil.iter_modules(repairs.__path__, "shapecheck.repairs.")]
    functions = [each for name in names for each in vars(import_module(name)).values() if isfunction(each)]
    made = {each for each in functions if each.__annotations__ == {"s": "Situation", "return": "Iterator[Candidate]"}}
    tried = {repair for kind in ClashKind for repair in weighed(kind)}
    assert {each.__name__ for each in made - tried if not each.__name__.startswith("_")} == set()
