"""Recording: a program that is run instrumented, and what each expression was seen to be."""
