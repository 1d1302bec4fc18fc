"""What Python cannot do while a function is traced into a graph."""
