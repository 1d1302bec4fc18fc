"""HTML from values. All text is escaped here, and only here."""

from __future__ import annotations

import json
from html import escape

from shapecheck.report.style import printable


def text(words: object) -> str:
    """Return text for an element, on one line."""
    return escape(printable(str(words)), quote=False)


def attribute(words: object) -> str:
    """Return text for an attribute in double quotes."""
    return escape(printable(str(words)), quote=True)


def tag(name: str, inside: str, **attributes: object) -> str:
    """Return an element; `inside` is HTML. A trailing underscore of an attribute is dropped, others become hyphens."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{attribute(value)}"' for key, value in attributes.items() if value != ""
    )
    return f"<{name}{given}>{inside}</{name}>"


def script_data(value: object) -> str:
    """Return JSON that can stand in a script element."""
    dense = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return dense.replace("<", "\\u003c").encode("utf-8", "backslashreplace").decode()
