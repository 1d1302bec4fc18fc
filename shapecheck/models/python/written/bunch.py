"""What `bunch` does, of which `munch` is the successor."""

from .munch import Munch as Bunch
from .munch import munchify as bunchify
from .munch import unmunchify as unbunchify

__all__ = ["Bunch", "bunchify", "unbunchify"]
