"""Operations of Python that are impossible while a function is traced into a graph."""
