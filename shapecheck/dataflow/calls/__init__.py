"""Calls: of functions and classes of the program, of library names, and of anything else."""
