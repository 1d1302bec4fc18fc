"""The package `yacs`."""
