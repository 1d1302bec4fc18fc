"""Drawings of models and dataflow as SVG: what is drawn, where it lies, and how it looks, in a file each."""
