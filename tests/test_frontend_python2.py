"""Python 2 syntax is lowered, at the offsets of the file."""

from __future__ import annotations

import pytest

from shapecheck import ir
from shapecheck.frontend.lower import lower
from shapecheck.source import Source
from tests.support.frontend_forms import descend

FORMS = [
    "print x, 'a%d' % y",
    "print 'a', # comment",
    "print",
    "print 'a'; print x",
    "if x: print x\nelse: print y",
    "for x in range(3): print x,",
    "print >>f, x",
    "print ('a %s') % x, y",
    "print (1 +\n  2), x\nprint (x) and y, {z: 1}[q]",
    "print -1, +x, ~y, [z], {w}, not v, lambda u: u",
    "print 'a' \\\n  'b'",
    "print u'\\xe9', ur'\\d', `x`, 1L, 0xFFL, 0777, 0",
    "exec code\nexec 'x = 1' in ns",
    "try:\n  x\nexcept E, e:\n  raise E, 'text %s' % e\nexcept (A, B) , e: raise E, 'a', tb",
    "raise E, 'a' # comment",
    "x = 1 if a <> b else 2",
    "f = lambda (k, v): k\ndef g(a, (b, c), d=(1, (2, 3))): return b",
    "x = [lambda (a, (b, c)), d: lambda (e, f): (a, e) for x in y], lambda(a, b): {a: b}, 2",
    "class A:\n\tdef f(self, (a, b), (c, d)):\n\t\t'doc'\n\t\treturn a",
    "if x:\n\ty = 1\n        z = 2\nif y:\n    w = '''\n\tkept'''\n    print w",
    "class A:\n  def f(self):\n    print self.x[1:2], '#'\n    return {1: 2}",
]


@pytest.mark.parametrize("form", FORMS)
def test_form(form: str) -> None:
    source = Source("old", f"before = 'é'\nprint 1\n{form}\nafter = before # last\n")
    module = lower(source)
    assert module.python2
    nodes = [node for node, _ in descend(module.body, None)]
    assert not any(isinstance(node, ir.Opaque) for node in nodes)
    for node in nodes:
        if isinstance(node, ir.Name) and node.id != "repr" and node.start < node.end and "unpacked" not in node.id:
            assert source.text[node.start : node.end] == node.id
        if isinstance(node, ir.Const) and isinstance(node.value, int) and node.value < 10 and node.start < node.end:
            assert source.text[node.start : node.end].rstrip("L") == str(node.value)
    assert source.text[module.body[-1].start : module.body[-1].end] == "after = before"
    assert source.text.startswith(module.comments[-1].text, module.comments[-1].start)


def test_what_is_printed_is_an_argument() -> None:
    (statement,) = lower(Source("old", "print f(x), y\n")).body
    assert isinstance(statement, ir.Evaluate)
    assert isinstance(statement.value, ir.Call)
    assert [type(argument.value) for argument in statement.value.args] == [ir.Call, ir.Name]


def test_python_3_is_left_alone() -> None:
    assert not lower(Source("new", "print(x)\nexec(y)\n")).python2


def test_the_first_error_is_the_one_reported() -> None:
    (fault,) = lower(Source("broken", "x = 1\nprint x\ny = = 2\n")).faults
    assert fault.start == len("x = 1\n")


def test_what_is_caught_gets_its_name() -> None:
    """libcst reads `except E, e:` as Python 3.14 does, so only rewriting distinguishes them."""
    (_, statement) = lower(Source("old", "print 1\ntry: x\nexcept (A, B), e: raise E, 'text'\n")).body
    assert isinstance(statement, ir.Try)
    (handler,) = statement.handlers
    assert handler.name == "e"
    assert isinstance(handler.body[0], ir.Raise)
    assert isinstance(handler.body[0].value, ir.Call)
