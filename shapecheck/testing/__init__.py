"""For tests of programs: what comments say of shapes must be what shapecheck finds.

from shapecheck.testing import assert_shapes

def test_shapes():
    assert_shapes("model.py")
"""

from shapecheck.testing.shapes import assert_shapes, disagreements

__all__ = ["assert_shapes", "disagreements"]
