"""`python -m benchmarks.coverage_of_api`: the public names of the libraries that have a model."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from benchmarks import api


@click.command()
@click.argument("namespaces", nargs=-1)
@click.option("--missing/--no-missing", default=True, help="List names without a model, with the reason.")
@click.option(
    "--calls",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Measure the share of call sites instead; FILE is a JSON list of [name, count].",
)
def command(namespaces: tuple[str, ...], missing: bool, calls: Path | None) -> None:
    """Count the public names of TensorFlow, Keras and NumPy that have a model, by namespace.

    Names that neither take nor return arrays are not counted.
    """
    lines = _calls(calls, missing) if calls is not None else _names(namespaces, missing)
    click.echo("\n".join(lines))


def _names(namespaces: tuple[str, ...], missing: bool) -> Iterable[str]:
    for each in api.coverage(namespaces):
        count = f"{len(each.modelled)} of {each.total}"
        yield f"{each.namespace:<26}{count:>12}{each.percent:>7.1f} %   ({len(each.outside)} are not about arrays)"
        if missing:
            yield from (f"    {why}: {' '.join(names)}" for why, names in sorted(each.left_out.items()))


def _calls(file: Path, missing: bool) -> Iterable[str]:
    found = api.call_sites(api.read_frequencies(file.read_text(encoding="utf-8")))
    yield f"{found.percent:.2f} % of call sites have a model"
    if missing:
        yield from (f"    {weight:8.4f}  {name}" for name, weight in found.missing)


if __name__ == "__main__":
    command()
