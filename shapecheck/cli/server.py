"""`shapecheck server`: findings and shapes in an editor."""

from __future__ import annotations

import click


@click.command(name="server", short_help="Run the language server for an editor.")
def command() -> int:
    """Run the language server for an editor, over standard input and output."""
    try:
        from shapecheck.server import main
    except ModuleNotFoundError as error:
        raise click.UsageError(
            f"{error.name} is not installed; the extra 'server' needs it: pip install 'pygls>=2'"
        ) from None
    main()
    return 0
