"""What shapecheck knows of PyTensor, the heir of Theano."""

from shapecheck.models.lang.packs import Arrays, Pack

VARIABLES = Arrays("pytensor", "pytensor.Variable", precedence=1)
PACK = Pack("PyTensor", ("pytensor",), ("pytensor",), VARIABLES, package="shapecheck_pytensor.models")
