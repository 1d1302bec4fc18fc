"""Writes into shapecheck/models/parameters.txt what the functions, classes and methods of TensorFlow, Keras, NumPy and
SciPy accept in any version.

`python -m tests.support.generate_core_parameters FOLDER` reads the wheels and archives of versions in a folder, which
`pip download --no-deps` gives, and adds what they accept to the table. A name that takes anything in one of them is
left out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from shapecheck.models.lang.names import canonical
from shapecheck.models.lang.parameter_tables import accepted
from shapecheck.models.lang.registry import REGISTRY, load
from tests.support import generated
from tests.support.core_definitions import Definitions, is_method_name
from tests.support.core_files import read
from tests.support.generate_public_names import TARGET as PUBLIC
from tests.support.generate_signatures import resolve
from tests.support.parameter_lists import KEYWORD, PLAIN, List, Listed, common, parse
from tests.support.parameter_texts import place, present_now, text

LIBRARIES = ("tf", "keras", "np", "scipy")
UNREAD = (
    "tf.contrib.",
    "scipy.stats.",
    "scipy.special.",
    "scipy.sparse.",
    "np.char.",
    "np.matrix.",
    "tf.logging.",
    "tf.get_logger",
    "tf.app.",
    "tf.flags.",
    "np.polynomial.",
    "tf.gfile.",
    "np.show_config",
    "tf.image.resize_images",  # which took height and width apart before TensorFlow 0.11
    "tf.losses.mean_squared_error",  # of Keras in TensorFlow 2, as the next ones
    "tf.metrics.mean_absolute_error",
    "tf.metrics.mean_squared_error",
    "tf.group",  # which takes anything if nothing is given
    "tf.nn.RNNCell",
    "tf.Tensor.to_",  # of ragged tensors, which a tensor may turn out to be
    "scipy.signal.StateSpace",
    "scipy.signal.dlti",
)
ALSO = (
    "keras.callbacks",
    "keras.regularizers",
    "keras.constraints",
    "keras.initializers",
    "keras.optimizers",
    "keras.preprocessing.image.ImageDataGenerator",
)
CLOSED = {  # what further keywords are taken by functions whose text does not tell
    "keras.Model.compile": "sample_weight_mode, target_tensors, options, run_metadata, feed_dict, fetches, distribute, "
    "cloning, from_serialized, experimental_steps_per_execution, experimental_run_tf_function, run_eagerly, "
    "class_mode, theano_mode, mode, on_unused_input, allow_input_downcast, updates, givens, no_default_updates, "
    "profile, name, inputs, outputs, pss_evaluation_shards",
    "keras.Model.fit": "nb_epoch, show_accuracy",
    "keras.Model.evaluate": "_use_cached_eval_dataset, show_accuracy",
    "keras.Model.predict_generator": "nb_worker, pickle_safe, max_q_size, val_samples",
    "keras.Model.evaluate_generator": "nb_worker, pickle_safe, max_q_size, val_samples",
    "keras.models.load_model": "options, safe_mode, compile, custom_objects",
    "keras.layers.Layer.add_weight": "autocast, caching_device, layout, getter, collections, experimental_autocast",
    "tf.name_scope": "skip_on_eager",  # of the function inside TensorFlow
    "np.clip": "where, casting, order, dtype, subok, min, max, signature, extobj",
    "np.ndarray.clip": "where, casting, order, dtype, subok, min, max, signature, extobj",
}
FORGIVING = ("keras-0.3.3",)
"""Versions that take some keywords that they never look at, by accident."""
OF_UFUNCS = "out, where, casting, order, dtype, subok, signature, sig, extobj"
OF_GENERAL_UFUNCS = "axes, axis, keepdims"


def known(libraries: dict[str, Definitions], name: str) -> list[List] | None:
    """Return the lists that a name has in the versions; None if it takes anything in one of them."""
    found: list[List] = []
    names = [name]
    if name.startswith("np.random.") and name.count(".") == 2:
        names.append(f"np.random.RandomState.{name.rpartition('.')[2]}")
    for version, library in libraries.items():
        for each in names:
            lists = library.of_method(each) if is_method_name(each) else library.lists(each)
            if lists is None and name not in CLOSED and version not in FORGIVING:
                return None
            found += lists or ()
    found += _of_ufunc(name)
    more = CLOSED[name].split(", ") if found and name in CLOSED else []
    return [*found, tuple(Listed(each, KEYWORD, False) for each in more)] if more else found


def _of_ufunc(name: str) -> Iterator[List]:
    thing = resolve(name) if name.startswith(("np.", "scipy.")) else None
    if type(thing).__name__ == "ufunc":
        plain = [Listed(f"_{at}", PLAIN, at < thing.nin) for at in range(thing.nin + thing.nout)]
        more = f"{OF_UFUNCS}, {OF_GENERAL_UFUNCS}" if thing.signature else OF_UFUNCS
        yield (*plain, *(Listed(each, KEYWORD, False) for each in more.split(", ")))


def names() -> list[str]:
    """Return the names that are asked for: those with models, and the public ones."""
    load()
    spaces = json.loads(PUBLIC.read_text(encoding="utf-8"))
    public = [canonical(f"{space}.{each}") for space, names in spaces.items() for each in names]
    public += [f"{space}.{each}" for space in ALSO for each in dir(resolve(space)) if not each.startswith("_")]
    return sorted(name for name in {*REGISTRY, *public, "np.ndarray"} if _is_asked(name))


def _is_asked(name: str) -> bool:
    owner, _, last = name.rpartition(".")
    if name.partition(".")[0] not in LIBRARIES or name.startswith(UNREAD):
        return False
    if "__" in name or last in ("call", "build") or resolve(owner).__class__.__name__ == "ufunc":
        return False
    thing = resolve(name) if owner == "np" else None
    return not (isinstance(thing, type) and issubclass(thing, np.generic))


def exported(libraries: dict[str, Definitions], name: str) -> bool:
    """Return whether a version says that a name is one of its own, if versions of its library do so."""
    return (
        not name.startswith("tf.") or is_method_name(name) or any(name in each.exported for each in libraries.values())
    )


def of_versions(libraries: dict[str, Definitions]) -> dict[Path, str]:
    """Return the table, with what the versions accept added to it."""
    made = {}
    for name in names():
        lists = known(libraries, name) if exported(libraries, name) else []
        before = accepted(name)
        if lists is not None and (lists or before is not None):
            made[name] = common([*([] if before is None else [parse(before)]), *lists])
    return {place(): text(made, present_now())}


def read_all(folder: Path) -> dict[str, Definitions]:
    """Return the versions in a folder."""
    places = sorted(each for each in folder.iterdir() if each.suffix in (".whl", ".gz"))
    return {each.name.removesuffix(".tar.gz"): read(each) for each in places}


if __name__ == "__main__":
    generated.main(lambda: of_versions(read_all(Path(sys.argv[1]))))
