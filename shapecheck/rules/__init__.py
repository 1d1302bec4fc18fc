"""Rules: which clashes and patterns are reported, and in what words.  They infer nothing themselves."""
