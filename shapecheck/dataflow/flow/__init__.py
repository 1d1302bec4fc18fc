"""Control flow: branches, loops, exceptions, context managers and patterns."""
