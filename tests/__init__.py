"""The test modules, their shared code (`support`), and the specification in Markdown (`md`)."""
