"""One page in one file: templates, style sheets and scripts put together, and nothing asked of any host.

Owns the escaping and the policy that a browser holds the page to: only the scripts and style sheets that stand in it,
known by their hashes, and no connection to anywhere. What bots wrote is text wherever it comes.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["asset", "data_json", "piece", "render"]


def render(
    template: str,
    *,
    styles: Sequence[str],
    scripts: Sequence[str],
    connects: bool = False,
    asks: bool = False,
    **context: object,
) -> str:
    """A whole page.

    Args:
        template: Its file in `templates`; it extends ``base.html``.
        styles: Style sheets of `assets`, in order.
        scripts: Scripts of `assets`, in order.
        connects: Whether it may ask the server that it came from for more.
        asks: Whether its forms may be sent to the server that it came from.
        context: What the template shows.
    """
    style = "".join(map(asset, styles))
    script = "".join(map(asset, scripts))
    form_action = "'self'" if asks else "'none'"
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:;"
        f" base-uri 'none'; form-action {form_action}" + ("; connect-src 'self'" if connects else "")
    )
    return piece(
        template,
        policy=policy,
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        **context,
    )


def piece(template: str, **context: object) -> str:
    """A piece of a page, from a template of its own."""
    return _environment().get_template(template).render(**context)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("referee.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["data_json"] = data_json
    return environment


@cache
def asset(name: str) -> str:
    """The text of a file of `assets`."""
    return files("referee.pages").joinpath("assets", name).read_text(encoding="utf-8")


def data_json(value: object) -> Markup:
    """JSON that may stand in a ``script`` element: nothing in it ends or begins a tag."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 - escaped above


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
