"""TensorFlow in a child process: evaluates trees of calls, and returns the shapes of the results.

Started as a module, this file is the child.
"""

from __future__ import annotations

from typing import Any

from tests.support.child import serve

Tree = Any
EXECUTED = 40  # elements of a dataset that are really made


class Library:
    """Evaluates trees with TensorFlow."""

    def __init__(self) -> None:
        import numpy as np
        import tensorflow as tf

        self.np, self.tf = np, tf
        self.functions = {
            "pair": lambda x: (x, x),
            "swap": lambda x, y: (y, x),
            "first": lambda x, y: x,
            "named": lambda x, y: {"x": x, "y": y},
            "grow": lambda x: tf.nest.map_structure(lambda part: tf.expand_dims(part, 0), x),
            "total": lambda x: tf.reduce_sum(x),
            "listed": lambda x: [x, x],
            "keep": lambda *parts: True,
            "whole": lambda x: tf.data.Dataset.from_tensor_slices(x),
        }

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"shapes": self.shapes(request)}

    def shapes(self, request: dict[str, Any]) -> Any:
        if request.get("eager"):
            made = self.work_out(request["tree"])
            return self.dataset(made) if isinstance(made, self.tf.data.Dataset) else shapes_of(made)
        with self.tf.Graph().as_default():
            if "feed" in request:
                return self.feed(request)
            return shapes_of(self.work_out(request["tree"]))

    def work_out(self, tree: Tree) -> Any:
        match tree:
            case {"placeholder": shape}:
                return self.tf.compat.v1.placeholder(tree.get("dtype", "float32"), shape)
            case {"zeros": shape}:
                return self.np.zeros(shape, "float32")
            case {"spec": shape}:
                return self.tf.TensorSpec(shape, "float32")
            case {"function": name}:
                return self.functions[name]
            case {"tuple": items}:
                return tuple(map(self.work_out, items))
            case {"dict": items}:
                return {name: self.work_out(item) for name, item in items.items()}
            case {"of": owner, "method": name}:
                return self.called(getattr(self.work_out(owner), name), tree)
            case {"call": name}:
                return self.called(self.found(name), tree)
            case list():
                return [self.work_out(item) for item in tree]
        return tree

    def found(self, name: str) -> Any:
        found = self.tf if name.startswith("tf.data") else self.tf.compat.v1
        for part in name.split(".")[1:]:
            found = getattr(found, part)
        return found

    def called(self, function: Any, rest: dict[str, Any]) -> Any:
        keywords = {name: self.work_out(value) for name, value in rest.get("keywords", {}).items()}
        return function(*map(self.work_out, rest.get("args", [])), **keywords)

    def dataset(self, made: Any) -> Any:
        specs = [spec.shape for spec in self.tf.nest.flatten(made.element_spec)]
        real = [[list(part.shape) for part in self.tf.nest.flatten(item)] for item in made.take(EXECUTED)]
        return {"spec": [None if shape.rank is None else shape.as_list() for shape in specs], "real": real}

    def feed(self, request: dict[str, Any]) -> Any:
        target = self.tf.compat.v1.placeholder("float32", request["declared"])
        with self.tf.compat.v1.Session() as session:
            return list(session.run(target, {target: self.np.zeros(request["feed"])}).shape)


def shapes_of(result: Any) -> Any:
    if isinstance(result, (list, tuple)):
        return [shape for item in result for shape in shapes_of(item)]
    return [None if result.shape.rank is None else result.shape.as_list()]


if __name__ == "__main__":
    serve(Library().answer)
