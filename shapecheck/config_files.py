"""Configuration files: where they are, and how their keys are read."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from shapecheck import toml
from shapecheck.config import BadConfig, Config, nearest_hint, valid_target
from shapecheck.config_keys import KEYS, Key

_FILENAMES = ("shapecheck.toml", "pyproject.toml")
_HEADER = "tool.shapecheck"


def nearest(paths: Sequence[str | Path]) -> Config:
    """Return the configuration of the folder that holds all paths, or of the nearest folder above that has one."""
    for folder in _folders(paths):
        for name in _FILENAMES:
            found = _read(folder / name) if os.path.isfile(folder / name) else None
            if found is not None:
                return found.config()
    return Config()


def load(file: Path) -> Config:
    """Return the configuration in a file; raises BadConfig."""
    found = _read(Path(os.path.abspath(file)))
    if found is None:
        raise BadConfig(f"{file}: there is no table [{_HEADER}]")
    return found.config()


def config_files(paths: Sequence[str | Path]) -> list[Path]:
    """Return every file that may hold the configuration."""
    return [folder / name for folder in _folders(paths) for name in _FILENAMES]


def place_of(config: Config, word: str) -> str:
    """Return the file and line in which a configuration has a word, for messages; empty if it has not."""
    for file in reversed(config.files):
        lines = file.read_text(encoding="utf-8-sig").splitlines()
        found = (row for row, line in enumerate(lines, 1) if f'"{word}"' in line or f"'{word}'" in line)
        if (row := next(found, None)) is not None:
            return f"{_shown(file)}:{row}: "
    return ""


def from_table(table: Mapping[str, object], where: str, root: Path) -> Config:
    """Return a configuration from the keys of a TOML table; raises BadConfig, with `where` in front."""
    return _Table(table, where, root).config()


def _folders(paths: Sequence[str | Path]) -> Sequence[Path]:
    given = [Path(path).resolve() for path in paths if str(path) != "-"] or [Path.cwd()]
    start = Path(os.path.commonpath(given))
    return (start, *start.parents)


def _read(file: Path) -> _Table | None:
    """Return the table of a file; None for a `pyproject.toml` without one. Raises BadConfig."""
    shown = _shown(file)
    try:
        text = file.read_text(encoding="utf-8-sig")
        table = toml.loads(text)
    except (ValueError, OSError) as error:
        raise BadConfig(f"{shown}: {getattr(error, 'strerror', None) or error}") from None
    if file.name != "pyproject.toml":
        return _Table(table, shown, file.parent, file, text)
    tools = table.get("tool")
    own = tools.get("shapecheck") if isinstance(tools, dict) else None
    if not isinstance(own, dict):
        return None
    at = text.find(f"[{_HEADER}")
    hidden = re.sub(r"[^\n]", " ", text[:at])
    return _Table(own, shown, file.parent, file, hidden + text[at:] if at >= 0 else "", f"[{_HEADER}]: ")


def _shown(path: Path) -> str:
    """Return a file as the user would name it: relative to the current folder if it lies below it."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith(os.pardir) else relative


@dataclass(frozen=True, slots=True)
class _Table:
    """The keys of a configuration, with the name and the text of their file for messages; `prefix` names the table."""

    keys: Mapping[str, object]
    where: str
    root: Path
    file: Path | None = None
    text: str = ""
    prefix: str = ""

    def config(self, above: tuple[Path, ...] = ()) -> Config:
        """Return the configuration; `above` are the files that extend this one. Raises BadConfig."""
        for key in self.keys:
            if key not in KEYS:
                told = f"unknown key '{key}'{nearest_hint(key, KEYS)}"
                raise self.bad(
                    key, f"keys stand at the top of this file, not in [{_HEADER}]" if key == "tool" else told
                )
        given: dict[str, Any] = {KEYS[key].field: self._value(KEYS[key]) for key in self.keys if key != "extend"}
        files = () if self.file is None else (self.file,)
        base = self._extended((*above, *files))
        return replace(base, **given, root=self.root, files=(*base.files, *files))

    def bad(self, key: str, told: str) -> BadConfig:
        """Return the error for a key, with the line where it stands."""
        found = re.search(rf"""^[ \t]*(\[[\w.]*\.)?["']?{re.escape(key)}["']?[ \t]*[]=.]""", self.text, re.MULTILINE)
        line = f":{self.text.count(chr(10), 0, found.start()) + 1}" if found else ""
        return BadConfig(f"{self.where}{line}: {self.prefix}{told}")

    def _extended(self, above: tuple[Path, ...]) -> Config:
        """Return the configuration that this one extends."""
        if "extend" not in self.keys:
            return Config()
        file = Path(os.path.normpath(self.root / self._string("extend")))
        if file in above:
            raise self.bad("extend", "the files extend one another")
        if not os.path.isfile(file):
            raise self.bad("extend", f"there is no file {_shown(file)}")
        found = _read(file)
        return Config() if found is None else found.config(above)

    def _value(self, key: Key) -> object:
        value = self.keys[key.name]
        match key.kind:
            case "word":
                return self._checked(value in key.choices, key, f"must be one of {', '.join(key.choices)}")
            case "flag":
                return self._checked(isinstance(value, bool), key, "must be true or false")
            case "count":
                is_count = isinstance(value, int) and not isinstance(value, bool) and value > 0
                return self._checked(is_count, key, "must be a number of at least 1")
            case "path":
                return self.root / self._string(key.name)
            case "paths":
                return tuple(self.root / path for path in self._strings(value, key.name))
            case "versions":
                return self._target()
            case "rules by pattern":
                return {pattern: self._strings(rules, pattern) for pattern, rules in self._mapping(key.name).items()}
        return self._strings(value, key.name)

    def _checked(self, is_valid: bool, key: Key, told: str) -> object:
        if not is_valid:
            raise self.bad(key.name, f"{key.name} {told}")
        return self.keys[key.name]

    def _target(self) -> Mapping[str, str]:
        target: dict[str, str] = {}
        for name, version in self._mapping("target").items():
            if not isinstance(version, str):
                raise self.bad(name, f"target.{name} must be a string")
            try:
                target |= valid_target({name: version}, "target.")
            except BadConfig as error:
                raise self.bad(name, str(error)) from None
        return target

    def _strings(self, value: object, key: str) -> tuple[str, ...]:
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        told = key if key in KEYS else f"the rules for '{key}' in per-file-ignores"
        raise self.bad(key, f"{told} must be a list of strings")

    def _string(self, key: str) -> str:
        value = self.keys[key]
        if isinstance(value, str):
            return value
        raise self.bad(key, f"{key} must be a string")

    def _mapping(self, key: str) -> dict[str, object]:
        value = self.keys[key]
        if isinstance(value, dict):
            return value
        raise self.bad(key, f"{key} must be a table")
