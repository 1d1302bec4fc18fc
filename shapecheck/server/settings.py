"""The settings that an editor gives to the language server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lsprotocol import types as lsp

from shapecheck.config import Config


@dataclass(slots=True)
class Settings:
    """`select` and `ignore` are rules in place of the configured ones, where an editor gives any; `inlay_hints` says
    whether shapes are shown beside assignments. `number` changes with anything that findings depend on besides the
    text. An editor that `pulls` asks for findings itself, one that `shows_progress` is told of long checks."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    inlay_hints: bool = True
    number: int = 0
    pulls: bool = False
    shows_progress: bool = False

    def begin(self, params: lsp.InitializeParams) -> None:
        """Take what an editor says at the start: what it can do, and its settings."""
        document, window = params.capabilities.text_document, params.capabilities.window
        self.pulls = document is not None and document.diagnostic is not None
        self.shows_progress = window is not None and bool(window.work_done_progress)
        self.take(params.initialization_options)

    def take(self, given: object) -> None:
        """Take settings, alone or as the section `shapecheck`; what is not given or not known is left as it was."""
        found = _mapping(given)
        found = _mapping(found.get("shapecheck", found))
        self.select = _rules(found.get("select"), self.select)
        self.ignore = _rules(found.get("ignore"), self.ignore)
        shown = found.get("inlayHints")
        self.inlay_hints = shown if isinstance(shown, bool) else self.inlay_hints
        self.number += 1

    def applied(self, config: Config) -> Config:
        """Return a configuration with the rules that an editor selects or ignores."""
        return replace(config, select=self.select or config.select, ignore=self.ignore or config.ignore)


def _mapping(value: object) -> Mapping[str, object]:
    """Return settings as a mapping; the protocol's library makes objects of them."""
    if isinstance(value, Mapping):
        return value
    fields = getattr(value, "_asdict", None)
    return fields() if callable(fields) else {}


def _rules(given: object, before: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(given, (list, tuple)):
        return before
    return tuple(word for word in given if isinstance(word, str))


settings = Settings()
