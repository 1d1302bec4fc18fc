"""Replays of findings on the real libraries, always in other processes; this one never imports them."""
