"""What is known on a path: truth, narrowing, joins, constraints, and whether the path is feasible."""
