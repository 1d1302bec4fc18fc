"""`shapecheck server`: findings and shapes in an editor."""

from __future__ import annotations

import click


@click.command(name="server", short_help="Serve an editor.")
def command() -> int:
    """Serve an editor over standard input and output, by the language server protocol."""
    try:
        from shapecheck.server import main
    except ModuleNotFoundError as error:
        raise click.UsageError(f"{error.name} is not installed; pip install 'shapecheck[server]' brings it") from None
    main()
    return 0
