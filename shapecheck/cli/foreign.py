"""Models that a project brings: imported on request only, since that runs code of the project."""

from __future__ import annotations

from dataclasses import replace

import click

from shapecheck.config import Config


def with_models(config: Config, is_allowed: bool) -> Config:
    """The configuration with its models imported, or a word on why they are not.

    Other processes would have to import them as well, and what is kept from other runs knows nothing of them.
    """
    if not config.models:
        return config
    if not is_allowed:
        click.echo("the models of the configuration are not used: give --allow-project-models", err=True)
        return config
    from shapecheck.models.lang.external_models import BadModels, bring

    try:
        bring(config.models, config.root)
    except BadModels as error:
        raise click.UsageError(str(error)) from None
    return replace(config, jobs=1, cache_dir=None)
