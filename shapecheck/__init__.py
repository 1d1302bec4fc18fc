"""shapecheck: finds tensor shape errors in TensorFlow, Keras and NumPy programs without running them.

Importing it loads no slow library: everything is looked up at first use.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from shapecheck.config import Config
    from shapecheck.findings import Finding, Severity

__all__ = ["Config", "Finding", "Severity", "__version__", "assert_shape", "check", "here", "reveal_shape"]

__version__ = "0.1.0"

_HOMES = {
    "Config": "shapecheck.config",
    "Finding": "shapecheck.findings",
    "Severity": "shapecheck.findings",
    "assert_shape": "shapecheck.live.assertions",
    "here": "shapecheck.live.debugging",
    "load_ipython_extension": "shapecheck.live.magics",
    "reveal_shape": "shapecheck.live.assertions",
    "unload_ipython_extension": "shapecheck.live.magics",
}
"""The modules of what is looked up at first use; `%load_ext shapecheck` asks for the extension of IPython."""


def check(paths: Sequence[str | Path], config: Config | None = None) -> list[Finding]:
    """Return the findings in files and folders; the default configuration is the nearest one on disk."""
    from shapecheck.causes import by_cause
    from shapecheck.checker.pipeline import check as run
    from shapecheck.config_files import nearest

    return by_cause(run(paths, config or nearest(paths)).findings)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
