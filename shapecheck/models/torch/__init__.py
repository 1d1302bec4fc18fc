"""PyTorch: tensors, functions, modules, losses and data loaders."""
