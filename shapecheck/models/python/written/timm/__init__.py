"""What the helpers of `timm` do with which networks are put together; its models are not known here."""
