"""For tests of programs: shapes in comments must be the inferred ones.

from shapecheck.testing import assert_shapes

def test_shapes():
    assert_shapes("model.py")
"""

from shapecheck.testing.shapes import assert_shapes, disagreements

__all__ = ["assert_shapes", "disagreements"]
