"""Application of fixes to files."""
