"""Recording: a program runs instrumented, and the value of each expression is observed."""
