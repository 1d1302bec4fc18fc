"""Expressions and statements, and the assembled interpreter."""
