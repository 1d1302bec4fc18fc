"""Variables and operations of PyTensor."""
