"""Stages: the symbolic tensors of a function that is traced into a graph, and the operations that they allow."""
