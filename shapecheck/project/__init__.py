"""The files of a project: found, read and parsed once, with the versions that they are written for."""
