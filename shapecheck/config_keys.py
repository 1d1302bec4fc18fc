"""The keys of a configuration file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shapecheck.config import FORMATS, LIBRARIES, SEVERITIES, VERSION

Kind = Literal["rules", "patterns", "modules", "rules by pattern", "versions", "word", "flag", "count", "path", "paths"]


@dataclass(frozen=True, slots=True)
class Key:
    """A key: its value is of a kind, or one of the `choices`."""

    name: str
    kind: Kind
    summary: str
    choices: tuple[str, ...] = ()

    @property
    def field(self) -> str:
        """Return the field of `Config` that has the value."""
        return self.name.replace("-", "_")


_ALL = (
    Key("select", "rules", "Report only these rules."),
    Key("extend-select", "rules", "Report these rules as well, such as rules that are off by default."),
    Key("ignore", "rules", "Do not report these rules."),
    Key("per-file-ignores", "rules by pattern", "Do not report these rules in matching files."),
    Key("min-severity", "word", "The lowest severity to report.", SEVERITIES),
    Key("target", "versions", "The versions of libraries that the program is for."),
    Key("exclude", "patterns", "Do not check matching files and folders."),
    Key("force-exclude", "flag", "Exclude files that are named on the command line, too."),
    Key("extend", "path", "Take the keys that are not given here from this file."),
    Key("baseline", "path", "Ignore the findings listed in this file."),
    Key("data", "paths", "Folders with the files that the programs read."),
    Key("models", "modules", "Modules and files with models of other libraries."),
    Key("packs", "modules", "Installed packs of other libraries, by the names of their entry points."),
    Key("output-format", "word", "The format of the report.", FORMATS),
    Key("jobs", "count", "The number of processes."),
)
KEYS = {key.name: key for key in _ALL}


def schema() -> dict[str, object]:
    """Return the JSON schema of `shapecheck.toml`, and of the table `tool.shapecheck` in a `pyproject.toml`."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Configuration of shapecheck",
        "type": "object",
        "properties": {key.name: {"description": key.summary, **_schema_of(key)} for key in KEYS.values()},
        "additionalProperties": False,
    }


def _schema_of(key: Key) -> dict[str, object]:
    texts: dict[str, object] = {"type": "array", "items": {"type": "string"}}
    match key.kind:
        case "word":
            return {"enum": list(key.choices)}
        case "flag":
            return {"type": "boolean"}
        case "count":
            return {"type": "integer", "minimum": 1}
        case "path":
            return {"type": "string"}
        case "versions":
            versions = {name: {"type": "string", "pattern": VERSION} for name in LIBRARIES}
            return {"type": "object", "properties": versions, "additionalProperties": False}
        case "rules by pattern":
            return {"type": "object", "additionalProperties": texts}
    return texts
