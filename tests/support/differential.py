"""Full comparison of all models with real libraries: the installed ones, and older ones if a suitable Python is found.

python -m tests.support.differential --cases 80

prints one line for each, then the disagreements; the exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import sys

from tests.support.agreement import Judge, Tally, families, shortest, summary
from tests.support.environments import CURRENT, OLD, PACKS, Environment, make
from tests.support.oracle import Oracle
from tests.support.seed import SEED

PRECISION = 0.98  # of the comparable calls


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=80, help="calls of each name")
    parser.add_argument("--seed", type=int, default=SEED, help="another number draws other calls")
    parser.add_argument("--only", default="", help="families whose name contains this")
    parser.add_argument("--in", dest="environment", default="", help="environments whose name contains this")
    parser.add_argument("--packs", action="store_true", help="the packs that have a folder of their own")
    parser.add_argument("-v", "--verbose", action="store_true", help="one family after the other, and what is vague")
    asked = parser.parse_args()
    total = Tally()
    for environment in PACKS if asked.packs else (CURRENT, *OLD):
        if asked.environment not in environment.name:
            continue
        said = make(environment)
        if not environment.is_there:
            print(f"{environment.name}: {said}", flush=True)
            continue
        tally = compared(environment, asked)
        print(summary(environment.name, tally), *shortest(tally.faults), sep="\n    ", flush=True)
        if asked.verbose and tally.vague:
            print(*shortest(tally.vague), sep="\n    ")
        total.add(tally)
    print(summary("all", total))
    is_vague = len(total.vague) > (1 - PRECISION) * total.comparable
    return int(bool(total.faults) or is_vague)


def compared(environment: Environment, asked: argparse.Namespace) -> Tally:
    """Compare all models with the libraries of an environment."""
    oracle, total = Oracle(environment.python), Tally()
    judge = Judge(environment, oracle, asked.cases, is_precision_asked=environment is CURRENT, seed=asked.seed)
    for family, models in sorted(families(environment.package).items()):
        if asked.only in family:
            tally = judge.family(models)
            total.add(tally)
            if asked.verbose:
                print(" ", "\n    ".join([summary(family, tally), *shortest(tally.faults)]), flush=True)
    oracle.stop()
    return total


if __name__ == "__main__":
    sys.exit(main())
