"""The files of a project: found, read and parsed once, with the library versions that they target."""
