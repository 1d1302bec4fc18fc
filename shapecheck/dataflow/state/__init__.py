"""The state of an analysis: heap, frames, path, call stack, budget. It knows no semantics."""
