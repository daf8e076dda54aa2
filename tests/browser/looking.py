"""What is looked at on every page: who is kept out, what does not fit, and a picture for people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["DESK", "PHONE", "SCHEMES", "SIZES", "is_too_wide", "picture", "serious_faults"]

PHONE, DESK = (360, 740), (1280, 800)
SIZES = (PHONE, DESK)
SCHEMES = ("light", "dark")
_SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
#: axe's words for what keeps people out.
_SERIOUS = ("serious", "critical")


def serious_faults(page: Page) -> list[str]:
    """What axe-core finds that keeps people out."""
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped] # it ships no types

    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['target']}" for one in found if one["impact"] in _SERIOUS]


def is_too_wide(page: Page) -> bool:
    """Whether the page must be moved sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def picture(page: Page, name: str) -> None:
    """Keep a screenshot for people to look at."""
    _SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=_SCREENSHOTS / f"{name}.png")
