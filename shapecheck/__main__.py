"""`python -m shapecheck` is the command `shapecheck`."""

import os
import sys

if sys.path and sys.path[0] in ("", os.getcwd()):
    del sys.path[0]  # a file of the program under analysis must not be taken for a library

from shapecheck.cli import main

main()
