"""Long checks, as an editor shows them."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from shapecheck.server.settings import settings


@asynccontextmanager
async def progress_of(ls: LanguageServer, title: str) -> AsyncIterator[None]:
    """Tell an editor that something goes on until the context ends, if it shows that."""
    if not settings.shows_progress:
        yield
        return
    token = str(uuid.uuid4())
    await asyncio.wait_for(ls.work_done_progress.create_async(token), 10)
    ls.work_done_progress.begin(token, lsp.WorkDoneProgressBegin(f"shapecheck: {title}"))
    try:
        yield
    finally:
        ls.work_done_progress.end(token, lsp.WorkDoneProgressEnd())
