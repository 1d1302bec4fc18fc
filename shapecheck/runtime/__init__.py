"""Execution of programs on the real libraries, always in other processes: replays and recordings."""
