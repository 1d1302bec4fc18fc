"""Python's object model: attributes, classes, modules and variables as cells of the heap."""
