"""Options, from the command line or a configuration file.

It knows nothing of rules: a selector is only text that is compared with a code, a name and a category.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck.renamed import current_name

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SEVERITIES = ("error", "warning", "perf", "info")
FORMATS = ("text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit")
LIBRARIES = ("tensorflow", "keras", "numpy")
VERSION = r"^\d+(\.\d+)*$"


class BadConfig(Exception):
    """A configuration that cannot be used; the message is one line for the user."""


@dataclass(frozen=True)
class Config:
    """Options of a check, which come from `files`. Patterns in `exclude` and `per_file_ignores` are relative to `root`.
    Files that are named are excluded, too, if `force_exclude` is set.

    `select` holds codes, prefixes of codes, names, categories, severities or ALL; empty means everything that is on by
    default. With `changed_since`, only files are checked that changes since that revision can affect.
    `min_severity` is a hard threshold; without one, info findings are shown where they are selected. Up to
    `jobs` processes share the work (if it is None, one, or on the command line one for each processor), or the cluster
    whose address is the `executor` does it. `cache_dir`, if set, caches its results, which machines share at the URL
    `shared_cache`. Up to `fixes` repairs of each finding are tried and offered. `models` names packages and files with
    models of other libraries, which are imported only if the command line allows it. `packs` names packs of installed
    distributions. The folders in `data` have the files that the programs read.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    target: Mapping[str, str] = field(default_factory=dict)
    min_severity: str | None = None
    baseline: Path | None = None
    data: tuple[Path, ...] = ()
    models: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()
    root: Path = Path()
    files: tuple[Path, ...] = ()
    stdin_filename: str = "<stdin>"
    noqa: bool = True
    changed_since: str | None = None
    output_format: str = "text"
    jobs: int | None = None
    cache_dir: Path | None = None
    shared_cache: str | None = None
    executor: str | None = None
    fixes: int = 0

    def shows(self, code: str, name: str, category: str, severity: str) -> bool:
        """Return whether findings of this kind are reported; the more specific of two conflicting selectors wins."""
        if self.min_severity and SEVERITIES.index(severity) > SEVERITIES.index(self.min_severity):
            return False
        chosen = specificity((*self.select, *self.extend_select), code, name, category, severity)
        refused = specificity(self.ignore, code, name, category, severity)
        if chosen < 0 and (self.select or (severity == "info" and not self.min_severity)):
            return False
        return chosen > refused or refused < 0

    def leaves_out(self, filename: str) -> bool:
        """Return whether `exclude` matches a file or a folder around it."""
        return bool(self.exclude) and patterns(self.exclude).match_file(self._relative(filename))

    def _relative(self, filename: str) -> str:
        return Path(os.path.relpath(filename, self.root)).as_posix()

    def ignores_in(self, filename: str) -> tuple[str, ...]:
        """Return the selectors that `per_file_ignores` turns off for a file."""
        if not self.per_file_ignores:
            return ()
        relative = self._relative(filename)
        return tuple(
            selector
            for pattern, selectors in self.per_file_ignores.items()
            if _matches(pattern, relative)
            for selector in selectors
        )


def specificity(selectors: Iterable[str], code: str, name: str, category: str, severity: str) -> int:
    """Return how closely the best selector matches a finding of a rule.

    The result is -1 for not at all, 0 for ALL, 1 for the category or severity, and grows with the length of a code.
    """
    return max((_closeness(selector, code, name, category, severity) for selector in selectors), default=-1)


def _closeness(selector: str, code: str, name: str, category: str, severity: str) -> int:
    if current_name(selector) == name:
        return 100
    if selector in (category, severity):
        return 1
    if selector == "ALL":
        return 0
    prefix = selector.upper()
    if code == prefix:
        return 100
    return 1 + len(prefix) if prefix.startswith("SHP") and code.startswith(prefix) else -1


def _matches(pattern: str, relative: str) -> bool:
    return patterns([pattern]).match_file(relative)


def patterns(lines: Iterable[str]) -> GitIgnoreSpec:
    """Parse lines as in `.gitignore`; raises BadConfig."""
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError as error:
        raise BadConfig(f"not a valid .gitignore pattern: {error}") from None


def valid_target(target: Mapping[str, str], where: str = "") -> Mapping[str, str]:
    """Return the library versions if they are valid; raises BadConfig, with `where` in front."""
    for name, version in target.items():
        if name not in LIBRARIES:
            raise BadConfig(f"{where}{name}: no such library{nearest_hint(name, LIBRARIES)}")
        if not re.match(VERSION, version):
            raise BadConfig(f"{where}{name}: '{version}' is not a version, such as '2.21'")
    return target


def nearest_hint(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'select'?` for an unknown word, or an empty text."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


def override(config: Config, **options: object) -> Config:
    """Return a configuration in which the given options (neither None nor empty) replace the others."""
    names = {item.name for item in fields(Config)}
    given = {name: value for name, value in options.items() if name in names and value not in (None, (), {})}
    return replace(config, **given)  # type: ignore[arg-type]
