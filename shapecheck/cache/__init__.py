"""Caches kept between runs: the parsed IR of files, the results of files whose dependencies have not changed, and the
output of whole runs. Losing a cache, or finding it corrupt, costs only time."""
