"""`python -m shapecheck` is the command `shapecheck`."""

from shapecheck.cli import main

main()
