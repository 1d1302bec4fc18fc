"""The dataflow graph: steps, and the constraints of steps that cannot hold."""
