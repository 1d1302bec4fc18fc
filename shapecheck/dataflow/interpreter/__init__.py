"""Expressions and statements, and the interpreter put together."""
