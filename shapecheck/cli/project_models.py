"""Models that a project provides: imported on request only, since that runs code of the project."""

from __future__ import annotations

from dataclasses import replace

import click

from shapecheck.config import Config


def with_project_models(config: Config, is_allowed: bool) -> Config:
    """Return the configuration with its models imported; print a note if that is not allowed.

    Then everything runs in this process, without the cache, since other processes and earlier runs lack these models.
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
