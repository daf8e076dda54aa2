"""A browser for tests of pages: each page is watched for errors, and may ask no host for anything."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.looking import DESK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any

    from playwright.sync_api import Browser, Dialog, Page

#: How long a page that is busy may take to show something; a machine that is busy too takes long.
PATIENCE_MS = 60_000
CHROMIUM = Path("/usr/bin/chromium")
_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests of this folder."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; it ends with the last test of this folder, since its loop is in nobody else's way then."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    playwright.expect.set_options(timeout=PATIENCE_MS)
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=list(_QUIET))
        yield chromium
        chromium.close()


@contextmanager
def window(
    browser: Browser, is_own: Callable[[str], bool], size: tuple[int, int], **options: Any
) -> Iterator[Page]:
    """A window of its own; at the end nothing may have been said in it, and nobody else asked for anything.

    Args:
        browser: Where.
        is_own: Whether an address may be asked for.
        size: Of the window.
        options: Of the browser's context.
    """
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    said: list[str] = []
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.on("console", lambda message: said.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"error: {error}"))
    page.on("dialog", lambda dialog: _note_dialog(dialog, said))
    page.on("request", lambda one: None if is_own(one.url) else said.append(f"request: {one.url}"))
    yield page
    context.close()
    assert said == []


@pytest.fixture
def visit(browser: Browser) -> Callable[..., AbstractContextManager[Page]]:
    """Open a file in a window of its own; at the end it must have been silent."""

    @contextmanager
    def opened(
        path: Path, address: str = "", *, size: tuple[int, int] = DESK, **options: Any
    ) -> Iterator[Page]:
        def is_own(url: str) -> bool:
            return url.partition("#")[0] == path.as_uri()

        with window(browser, is_own, size, **options) as page:
            page.goto(path.as_uri() + address)
            yield page

    return opened


def _note_dialog(dialog: Dialog, said: list[str]) -> None:
    said.append(f"dialog: {dialog.message}")
    dialog.dismiss()
