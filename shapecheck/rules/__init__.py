"""Rules: which clashes and patterns are reported, and in which words. They infer nothing themselves."""
