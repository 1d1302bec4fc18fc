"""Models that a project provides, imported on request only, since that runs its code; and installed packs."""

from __future__ import annotations

from dataclasses import replace

import click

from shapecheck.config import Config


def with_project_models(config: Config, is_allowed: bool) -> Config:
    """Return the configuration with its packs loaded and its models imported; print a note if that is not allowed.

    Then everything runs in this process, without the cache, since other processes and earlier runs lack these models.
    """
    models = config.models if is_allowed else ()
    if config.models and not is_allowed:
        click.echo("the models of the configuration are not used: give --allow-project-models", err=True)
    if not (models or config.packs):
        return config
    from shapecheck.models.lang.external_models import BadModels, bring, bring_packs

    try:
        bring_packs(config.packs, config.root)
        if models:
            bring(models, config.root)
    except BadModels as error:
        raise click.UsageError(str(error)) from None
    return replace(config, jobs=1, cache_dir=None)
