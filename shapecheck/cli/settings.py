"""The settings of a check: a configuration file, and options that replace or extend what it says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from shapecheck.config import Config, override
from shapecheck.config_files import config_files, load, nearest
from shapecheck.config_keys import KEYS


def settings_of(paths: Sequence[str], options: Mapping[str, Any]) -> Config:
    """Return the configuration for paths and options; raises UsageError and BadConfig."""
    from shapecheck.cli.rules import require_known

    file, isolated = options["config_file"], options["isolated"]
    if file is not None and isolated:
        raise click.UsageError("--config and --isolated cannot be used together")
    found = Config() if isolated else nearest(paths) if file is None else load(file)
    require_known(found)
    config = override(found, **options)
    config = replace(config, ignore=(*config.ignore, *options["extend_ignore"]))
    require_known(replace(config, files=()))
    return config


def queries_of(paths: Sequence[str], config: Config) -> dict[tuple[str, str], object]:
    """Return the queries of the file system that finding the configuration makes."""
    return {("text", str(file)): False for file in (*config_files(paths), *config.files)}


def show_files(paths: Sequence[str], config: Config) -> int:
    """Print the files that would be checked, and return the exit status."""
    from shapecheck.project.discovery import find

    found = find(paths or ["."], config)
    _print(str(file) for file in found.files)
    for problem in found.problems:
        click.echo(problem, err=True)
    return 2 if found.problems else 0


def show_settings(config: Config) -> int:
    """Print the settings in the form of a configuration file, and return the exit status."""
    _print(_described(config))
    return 0


def _described(config: Config) -> Iterator[str]:
    yield from [f"# from {file}" for file in config.files] or ["# no configuration file"]
    tables: list[str] = []
    defaults = Config()
    for key in KEYS.values():
        value = getattr(config, key.field, None)
        if isinstance(value, Mapping) and value:
            tables += ["", f"[{key.name}]", *(f"{json.dumps(name)} = {_toml(item)}" for name, item in value.items())]
        elif value != getattr(defaults, key.field, None):
            yield f"{key.name} = {_toml(value)}"
    yield from tables


def _toml(value: object) -> str:
    return json.dumps(value, default=str)


def _print(lines: Iterable[str]) -> None:
    click.echo("".join(f"{line}\n" for line in lines), nl=False)
