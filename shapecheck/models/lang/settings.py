"""Settings that a program makes for all calls of a library, such as the data format of Keras."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.domain.values import NONE, Const, Lost, Ref, Scalar, Value
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.parameter_kinds import Parameter

SETTINGS = Ref(0, "keras.backend")  # set by set_image_data_format

ORDER = "data_format"
RUN_EAGERLY = "run_eagerly"
EAGER_FUNCTIONS = "functions_run_eagerly"
EVER_EAGER = "functions_ever_run_eagerly"  # at some time, as when others call a function that is traced on its own
RECORDED = "recorded"  # another value whenever a gradient tape begins or stops to record
ADDED_LOSSES = "added_losses"  # set where a layer adds a loss of its own
MASKS = "masks"  # set where a layer makes a mask, which Keras passes on to later layers
LAST_REPLICA = "last_replica"  # the numbers of rows that the replicas were given which ran last
REPLICA = "replica"  # within a replica of a strategy: the numbers of rows that it is given
SHARES = "shares"  # the numbers of rows that full batches give to a replica
CALLBACKS = "_callbacks"  # of a model: what `fit` was given
CHECKED = "__annotations_checked__"  # of a function whose annotations are checked when it is called
SHAPES = "__shapes__"  # of a function: the texts that a decorator gives, such as "x: [N, D]"
NAMED = "__axes_named__"  # of a function in whose annotations a name is the same size at each place

STATE_OF_METHODS = {"compile": ("optimizer", "loss", "@loss", "@metrics", "@weighted")}
"""What library objects keep of the arguments of a method, which another call of it replaces."""


def setting(ctx: Context, name: str) -> Value | None:
    """Return a setting of the whole library; a function that is traced on its own may be called after another file has
    set it.
    """
    try:
        found = ctx.get(SETTINGS, name)
    except KeyError:  # it was never set
        found = None
    if found is None and name == ORDER and _is_open(ctx):
        return ctx.lost("what another file sets")
    return found


def file_key(what: str, path: Value) -> str | None:
    """Return the name under which something is kept that a program saves to a file, whose path need not be known; None
    if two files may be the same."""
    match path:
        case Const(value=str(text)):
            return f"{what} in {text}"
        case Lost(serial=serial) | Scalar(serial=serial):
            return f"{what} in file {serial}"
    return None


def _is_open(ctx: Context) -> bool:
    """Return whether other code, or a file of the user, may have set the data format of Keras."""
    return ctx.target.theano or ctx.target.order_of_axes_told or (ctx.is_alone and ctx.target.order_of_axes_set)


def complete(ctx: Context, parameters: Sequence[Parameter], given: dict[str, Value]) -> None:
    """Add the settings to the arguments of an operation that were not given and whose defaults depend on them."""
    for parameter in parameters:
        if parameter.name == "data_format" and parameter.default == "" and given.get("data_format", NONE) == NONE:
            found = setting(ctx, "data_format")
            if found is not None and found != NONE:
                given["data_format"] = found
