"""The test modules, what they share (`support`), and the specification in Markdown (`md`)."""
