"""What earlier runs found out, kept between runs: the meaning of texts, and what was found in files that depend on
nothing that has changed.  Losing it, or finding it spoilt, costs only time."""
