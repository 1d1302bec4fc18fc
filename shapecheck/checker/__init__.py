"""From paths to findings: the run in the order of its parts, alone or in several processes."""
