"""Python text to intermediate representation: parsing, positions, names and comments."""
