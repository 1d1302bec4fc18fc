"""The layers of `timm` that programs put into networks of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Any

from torch import nn
from torch.nn.functional import dropout
from torch.nn.init import trunc_normal_ as trunc_normal_


def drop_path(x: Any, drop_prob: float = 0.0, training: bool = False, scale_by_keep: bool = True) -> Any:
    """Return the samples, some of them as zeros."""
    return dropout(x, drop_prob, training)


class DropPath(nn.Module):  # type: ignore[misc]
    def __init__(self, drop_prob: float = 0.0, scale_by_keep: bool = True) -> None:
        super().__init__()
        self.drop_prob = drop_prob
        self.scale_by_keep = scale_by_keep

    def forward(self, x: Any) -> Any:
        return drop_path(x, self.drop_prob, self.training)


def _repeated(count: int) -> Callable[[Any], Any]:
    def parse(x: Any) -> Any:
        return tuple(x) if isinstance(x, Iterable) and not isinstance(x, str) else tuple(repeat(x, count))

    return parse


to_1tuple, to_2tuple, to_3tuple, to_4tuple, to_ntuple = *map(_repeated, (1, 2, 3, 4)), _repeated
