"""A runner for composite actions of GitHub: their steps in a shell as GitHub starts it, with the files and variables
that it gives them. Steps that use another action are not run, but recorded with their inputs."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SHELL = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail"]
_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


@dataclass
class Run:
    """A run of an action in a folder: its inputs, and what has happened: what each step printed by its name, outputs by
    its id, the actions that were used with their inputs, the summary, and the status of the first failure."""

    action: Mapping[str, Any]
    folder: Path
    inputs: Mapping[str, str]
    environ: Mapping[str, str]
    printed: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    used: dict[str, dict[str, str]] = field(default_factory=dict)
    summary: str = ""
    status: int = 0

    def all_steps(self) -> Run:
        """Run the steps in turn."""
        for step in self.action["runs"]["steps"]:
            if self._is_wanted(step.get("if", "success()")):
                self._step(step)
        return self

    def output(self, name: str) -> str:
        """Return an output of the action."""
        return self._filled(self.action["outputs"][name]["value"])

    def _step(self, step: Mapping[str, Any]) -> None:
        if "uses" in step:
            self.used[step["uses"].partition("@")[0]] = {key: self._filled(text) for key, text in step["with"].items()}
            return
        assert step["shell"] == "bash"
        script = self.folder / "script.sh"
        script.write_text(step["run"])
        assert not _EXPRESSION.search(step["run"]), "an expression in a script may inject commands"
        files = {name: self.folder / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in files.values():
            path.write_text("")
        given = {name: self._filled(text) for name, text in step.get("env", {}).items()}
        ran = subprocess.run(
            [*SHELL, str(script)],
            cwd=self.folder / "workspace",
            env={**os.environ, **self.environ, **{name: str(path) for name, path in files.items()}, **given},
            capture_output=True,
            text=True,
            check=False,
        )
        self.status = self.status or ran.returncode
        self.printed[step["name"]] = ran.stdout + ran.stderr
        lines = files["GITHUB_OUTPUT"].read_text().splitlines()
        self.outputs[step.get("id", "")] = dict(line.split("=", 1) for line in lines)
        self.summary += files["GITHUB_STEP_SUMMARY"].read_text()

    def _is_wanted(self, condition: str) -> bool:
        """Return whether a step is run: what is compared holds, and nothing failed before or it runs always."""
        terms = [term.strip() for term in _EXPRESSION.sub(r"\1", condition).split("&&")]
        if "always()" not in terms and self.status:
            return False
        compared = [term.split(" ") for term in terms if term not in ("always()", "success()")]
        return all((self._value(left) == right.strip("'")) is (operator == "==") for left, operator, right in compared)

    def _filled(self, text: str) -> str:
        return _EXPRESSION.sub(lambda found: self._value(found[1]), text)

    def _value(self, name: str) -> str:
        match name.split("."):
            case ["inputs", key]:
                return self.inputs.get(key, self.action["inputs"][key]["default"])
            case ["runner", "temp"]:
                return str(self.folder / "temp")
            case ["github", "sha"]:
                return "0123abc"
            case ["steps", step, "outputs", key]:
                return self.outputs.get(step, {}).get(key, "")
        raise AssertionError(f"{name} is not known")
