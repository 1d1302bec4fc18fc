"""A headless Chromium for the tests of pages, and their screenshots.

`SHAPECHECK_SCREENSHOTS` names the folder for screenshots, as `make screenshots` does; without it none is kept.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

DRIVER = shutil.which("chromedriver")
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
HAS_SELENIUM = importlib.util.find_spec("selenium") is not None
needs_chromium = pytest.mark.skipif(
    not (DRIVER and CHROMIUM and HAS_SELENIUM), reason="there is no Chromium with its driver, or no Selenium"
)
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")
PATIENCE = 120
"""Seconds after which what is waited for does not happen."""


def start() -> Any:
    """Return a browser, for a test that `needs_chromium`."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in FLAGS:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.implicitly_wait(2)
    return driver


def wide(browser: Any, width: int, theme: str = "light", medium: str = "") -> None:
    """Set the width of the page in pixels, the colours that its reader prefers, and whether it is printed."""
    size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"media": medium, "features": [{"name": "prefers-color-scheme", "value": theme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme)


def photograph(browser: Any, name: str) -> None:
    """Keep a screenshot of the page, if screenshots are wanted."""
    folder = os.environ.get("SHAPECHECK_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        browser.save_screenshot(str(Path(folder) / f"{name}.png"))


def until(condition: Callable[[], object]) -> Any:
    """Return what a condition gives as soon as that is true; what it looks at may be drawn anew meanwhile."""
    from selenium.common.exceptions import StaleElementReferenceException

    end = time.monotonic() + PATIENCE
    while True:
        with suppress(StaleElementReferenceException):
            if found := condition():
                return found
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.2)


def free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
