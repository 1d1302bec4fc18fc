"""Extreme and broken input gives a module or a one-line reason, never a crash or a long wait."""

from __future__ import annotations

import subprocess
import sys

import pytest

from shapecheck import ir
from shapecheck.frontend.lower import lower
from shapecheck.source import Source, decode

LOWER = """
import sys
from shapecheck.frontend.lower import UnparsableSource, lower
from shapecheck.source import Source
try:
    print("lowered", len(lower(Source("generated", eval(sys.argv[1]))).body))
except UnparsableSource as error:
    print("refused:", error.message)
"""

LOWERED = {
    "deep brackets": "'x = ' + '[' * 190 + ']' * 190",
    "deep calls": "'x = ' + 'f(' * 190 + ')' * 190",
    "long sum": "'x = ' + '+'.join(['a'] * 1400)",
    "long right-hand power": "'x = ' + '**'.join(['a'] * 1400)",
    "long and": "'x = ' + ' and '.join(['a'] * 1400)",
    "long chain": "'x = a' + '.b(1)' * 195",
    "many strings": "'x = (' + '\"a\"\\n' * 1400 + ')'",
    "long elif": "'if a:\\n b\\n' + 'elif a:\\n b\\n' * 2900",
    "many small branches": "('if a:\\n b\\n' + 'elif a:\\n b\\n') * 4000",
    "300,000 numbers": "'x = [\\n' + '1, 2, 3,\\n' * 100_000 + ']\\ny = 1'",
    "300,000 numbers in a call": "'x = f([' + '1, 2, 3,\\n' * 100_000 + '], y=2)'",
    "deep indents": "''.join(' ' * i + 'if a:\\n' for i in range(90)) + ' ' * 90 + 'b'",
    "long unterminated-looking string": "'x = \"' + 'a\\\\\\\\' * 100_000 + '\"'",
}

REFUSED = {
    "brackets": ("'x = ' + '(' * 1500 + ')' * 1500", "nested more than 200 deep"),
    "patterns": ("'match x:\\n case ' + '[' * 40 + ']' * 40 + ': pass'", "pattern"),
    "elif": ("'if a:\\n b\\n' + 'elif a:\\n b\\n' * 10_000", "branches"),
    "sum": ("'x = ' + '+'.join(['a'] * 4000)", "terms"),
    "unary": ("'x = ' + '-' * 10_000 + '1'", "terms"),
    "not": ("'x = ' + 'not ' * 10_000 + 'a'", "terms"),
    "lambda": ("'x = ' + 'lambda: ' * 10_000 + 'a'", "terms"),
    "links": ("'x = a' + '.b()' * 2000", "chain"),
    "subscripts": ("'x = a' + '[0]' * 2000", "chain"),
    "powers in brackets": ("'x = ' + ('a**' * 1000 + '(') * 20 + '1' + ')' * 20", "terms"),
    "null byte": ("'x = 1\\0'", "null byte"),
    "size": ("'x = 1\\n' * 1_000_000", "larger than 5 MB"),
    "indents": ("''.join(' ' * i + 'if a:\\n' for i in range(3000)) + ' ' * 3000 + 'b'", "indentation"),
}


def _lower_elsewhere(expression: str) -> str:
    command = [sys.executable, "-c", LOWER, expression]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", LOWERED)
def test_extreme_code_is_lowered(name: str) -> None:
    assert _lower_elsewhere(LOWERED[name]).startswith("lowered")


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_kill_the_parser_is_refused(name: str) -> None:
    expression, reason = REFUSED[name]
    answer = _lower_elsewhere(expression)
    assert answer.startswith("refused:")
    assert answer.count("\n") == 1
    assert reason in answer


@pytest.mark.parametrize("text", ["", "\n", "# only\n# comments", "   ", "\f\n", "x", "x = 1 # no line end"])
def test_little_or_nothing_is_fine(text: str) -> None:
    module = lower(Source("little", text))
    assert len(module.comments) == text.count("#")


def test_marks_and_line_ends_are_gone_before() -> None:
    source = decode(b"\xef\xbb\xbfx = 1\r\nif x:\r\n    y = 2 # c\r\n", "marked")
    module = lower(source)
    assert [source.text[each.start : each.end] for each in module.body] == ["x = 1", "if x:\n    y = 2"]
    assert [comment.line for comment in module.comments] == [3]


def test_a_large_literal_is_left_out_and_the_rest_kept() -> None:
    source = Source("data", "x = f([" + "1, [2, 'a)'],\n" * 20_000 + "], y=[3]) # end\nz = 4\n")
    first, second = lower(source).body
    assert isinstance(first, ir.Assign)
    assert isinstance(first.value, ir.Call)
    data, key = (argument.value for argument in first.value.args)
    assert isinstance(data, ir.Opaque)
    assert source.text[data.start] + source.text[data.end - 1] == "[]"
    assert source.text[key.start : key.end] == "[3]"
    assert source.text[second.start : second.end] == "z = 4"


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("x = 1\ny = = 2\n", 2),
        ("é = 'é' 3\n", 1),
        ("\nx = (1,\n", 2),
        ("def f(:\n  pass", 1),
        ("x = 1\n  y = 2\n", 2),
        ("x = 1\ny = 'abc\n", 2),
        ("\n\nx = ]", 3),
        ("if x\n  y\n", 1),
    ],
)
def test_syntax_errors_have_a_place(text: str, row: int) -> None:
    source = Source("broken", text)
    (fault,) = lower(source).faults
    assert source.position(fault.start)[0] == row
    assert "\n" not in fault.message


def test_f_strings_with_their_own_quotes_inside_count_no_brackets() -> None:
    """Python 3.12 allows an f-string's own quotes inside it; a naive reader would leave brackets open."""
    text = "".join(f'x{i} = f"{{y["("]}}" # c\n' for i in range(300))
    assert len(lower(Source("nested", text)).comments) == 300
