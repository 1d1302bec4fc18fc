"""From Python text to the intermediate representation: parsing, positions, names and comments."""
