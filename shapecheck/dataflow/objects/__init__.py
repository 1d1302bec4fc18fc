"""The object model of Python: attributes, classes, modules and variables as cells of the heap."""
