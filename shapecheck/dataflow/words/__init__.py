"""What a program says of its own shapes: annotations, read as facts and checked."""
