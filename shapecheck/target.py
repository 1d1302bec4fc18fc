"""The library versions that a program targets."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """The library versions that a program is checked for; None if the program does not reveal them."""

    tensorflow: int | None = None  # major version
    keras: int | None = None  # 2 or 3
    numpy: int | None = None
    classic_variables: bool = False  # of TensorFlow 1, which are made with a known shape
    deferred: bool = False  # all operations become part of a graph, which a session runs
    before_1_0: bool = False  # the program may be for TensorFlow 0.x, by the names in it
    since_1_0: bool = False  # names in it exist only since TensorFlow 1.0
    since_1_2: bool = False  # the same of 1.2, since when a recurrent cell makes its weights once
    since_1_14: bool = False  # TensorFlow 1.14 or 1.15 is declared, whose matrix products broadcast
    order_of_axes_set: bool = False  # a file of the program sets Keras's order of image axes
    order_of_axes_told: bool = False  # images have their channels first, as a user's file told older versions of Keras
    theano: bool = False  # Keras runs on Theano, and a user's file configures its order of image axes
    other_backend: bool = False  # Keras 3 runs on JAX or PyTorch
    other_arrays: bool = False  # the program imports a framework whose arrays have methods of their own
    numpy_behavior: bool = False  # TensorFlow's tensors are switched to NumPy's behaviour
    dated: bool = False  # the program cannot run with the present versions, or is declared for older ones too
    forks: tuple[str, ...] = ()  # repositories that libraries are installed from, rather than as released

    @property
    def is_unmarked(self) -> bool:
        """Return whether nothing tells the version of Keras, so that it is taken to be the present one."""
        return self.keras is None and self.tensorflow != 1 and not self.dated
