"""The knowledge on a path: truth, narrowing, joins, constraints, and feasibility."""
