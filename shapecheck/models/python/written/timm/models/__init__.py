"""Where `timm` keeps its models."""
