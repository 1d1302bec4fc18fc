"""The names of `ml_collections`."""

from . import config_dict
from .config_dict import ConfigDict, FieldReference, FrozenConfigDict

__all__ = ["ConfigDict", "FieldReference", "FrozenConfigDict", "config_dict"]
