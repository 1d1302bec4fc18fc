"""The validators of `attr`: what they refuse is not followed."""

from __future__ import annotations

from typing import Any


def _any(*values: Any, **options: Any) -> Any:
    return None


instance_of = optional = in_ = and_ = or_ = not_ = matches_re = deep_iterable = deep_mapping = _any
ge = gt = le = lt = min_len = max_len = is_callable = provides = subclass_of = disabled = set_disabled = _any
