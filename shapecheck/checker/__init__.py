"""From paths to findings: the pipeline, in one or several processes."""
