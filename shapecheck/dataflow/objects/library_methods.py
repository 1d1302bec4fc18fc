"""Methods of library objects: their models, looked up along the MRO."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.mro import mro
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import CONTAINERS, Class, Function, Library, Method, Ref, Seq, Tensor, Value
from shapecheck.models.lang.packs import arrays
from shapecheck.models.lang.registry import Model, lookup_method

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def tensor_class(tensor: Tensor) -> str:
    """Return the library class whose methods a tensor has."""
    kind = arrays(tensor.library)
    return kind.roles.get(tensor.role, kind.cls)


def find_method(t: Tracer, owner: Value, name: str) -> tuple[Model | None, str]:
    """Return the library model of a method, and the name to show for it."""
    if isinstance(owner, Tensor):
        cls = tensor_class(owner)
        return lookup_method(cls, name), f"{cls}.{name}"
    if isinstance(owner, (Function, Method)):
        return lookup_method("types.FunctionType", name), f"types.FunctionType.{name}"
    if isinstance(owner, Seq) and owner.kind == "shape":
        return lookup_method("tf.TensorShape", name), f"tf.TensorShape.{name}"
    if isinstance(owner, Ref) and owner.cls not in CONTAINERS:
        cls_value = t.heap.get((owner.address, "__class__"))
        bases = mro(t, cls_value) if isinstance(cls_value, Class) else [Library(owner.cls)]
        for base in bases:
            if isinstance(base, Library):
                model = lookup_method(base.name, name)
                if model is not None:
                    return model, f"{base.name}.{name}"
        return None, f"{owner.cls}.{name}"
    return None, name


def run_method(t: Tracer, owner: Value, name: str, args: Sequence[Value]) -> Value | None:
    """Run the model of a method at the present place; None if there is no model."""
    model, label = find_method(t, owner, name)
    if model is None or t.place is None:
        return None
    return t.run_model(model, label, Arguments(t.place, (owner, *args)))
