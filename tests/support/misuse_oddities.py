"""What a library does with a wrong argument only by accident, and no model says."""

from __future__ import annotations

import re

ODD = {  # by name: words that the disagreement has, and the accident
    "np.linalg.svd": ("full_matrices", "no flag that has no say is looked at"),
    **dict.fromkeys(("scipy.signal.correlate", "scipy.signal.fftconvolve"), ("mode is", "the same, for numbers")),
    "scipy.linalg.sqrtm": ("disp", "the option is ignored in a later release"),
    **dict.fromkeys(("np.divmod", "np.modf", "np.frexp"), ("", "a place for one of several results")),
    **{
        f"scipy.special.{name}": ("many.*model gives", "the same")
        for name in "airy airye fresnel it2i0k0 it2j0y0 itairy iti0k0 itj0y0 kelvin mathieu_cem mathieu_sem "
        "modfresnelm modfresnelp pbdv pbvv pbwa shichi sici".split()
    },
    "scipy.signal.resample": ("names no axis", "an array is as good as an axis for a vector"),
    **dict.fromkeys(("np.fft.fftfreq", "np.fft.rfftfreq"), (r"d=|, <", "an array of distances")),
    **{f"scipy.{name}freq": (r"d=|, <", "the same") for name in ("fft.fft", "fft.rfft", "fftpack.fft", "fftpack.rfft")},
    **dict.fromkeys(("np.linspace", "np.geomspace", "np.logspace"), ("axis=0.0", "nothing is moved")),
    "np.linalg.qr": ("mode='full'", "an old name of a mode"),
    **dict.fromkeys(("np.logspace", "keras.ops.logspace"), ("base=", "an array of bases")),
    **dict.fromkeys(("np.nanpercentile", "np.nanquantile"), ("axis=", "axes are not taken in their order")),
    **dict.fromkeys(("np.nanstd", "np.nanvar"), ("ddof=", "an array of degrees of freedom")),
    "scipy.ndimage.binary_fill_holes": ("output=", "nothing is given back"),
    **dict.fromkeys(
        ("keras.ops.argsort", "keras.ops.one_hot", "keras.ops.sort", "keras.ops.stack", "tf.argsort", "tf.sort"),
        ("is a float", "it is cut off"),
    ),
    **dict.fromkeys(("tf.stack", "tf.unstack"), ("is a float", "the same")),
    "keras.ops.einsum": ("i,j->ij", "tensordot is called instead"),
    "tf.image.extract_glimpse": ("w >= 1", "nothing is seen"),
    "tf.linalg.eigh_tridiagonal": ("eigvals_only|beta has", "what has no say is not looked at"),
    "keras.activations.linear": ("many", "a list is given back as it is"),
    **dict.fromkeys(
        ("keras.ops.hstack", "keras.ops.vstack"), (r"stack\(<", "an array is not taken for the list of its rows")
    ),
    **{
        f"keras.{name}": ("=<|>, <", "an array for a number")
        for name in "activations.soft_shrink activations.squareplus ops.celu ops.hard_shrink ops.nan_to_num".split()
    },
    **{f"keras.ops.{name}": ("=<|>, <", "the same") for name in ("squareplus", "soft_shrink")},
    **{f"keras.ops.{name}": ("=<|>, <.*>, <", "the same") for name in ("lstsq", "matrix_rank", "psnr")},
    **{
        f"tf.{name}": ("=<|>, <", "the same")
        for name in "image.adjust_gamma linalg.matrix_rank nn.swish random.gamma".split()
    },
    "tf.nn.l2_normalize": ("epsilon=<|>, 1, <", "the same"),
    "keras.activations.celu": ("=<|>, <", "the same"),
    **{
        f"{name}": ("=<|, <", "the same")
        for name in "keras.ops.rms_normalization tf.image.adjust_brightness tf.nn.silu tf.signal.kaiser_window".split()
    },
    "tf.math.bincount": ("<scalar", "a number is as good as a vector"),
}

# Not accidents, but beyond what a model can be asked.
EMPTY = re.compile(r"\(\[\]|, \[\]|=\[\]")  # of nothing, something else comes


def is_odd(fault: str) -> bool:
    """Return whether a disagreement is about something that happens by accident."""
    words, _ = ODD.get(fault.split("(")[0], (None, ""))
    return bool(EMPTY.search(fault)) or (words is not None and re.search(words, fault) is not None)
