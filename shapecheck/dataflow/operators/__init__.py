"""Arithmetic, comparison and subscripts; operators on tensors run the model of their library."""
