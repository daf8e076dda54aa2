"""Charts as SVG that stands in a page: drawn when the page is made, so that reading it needs no script.

Owns their form and colours. Each has a text alternative, and none shows what no table beside it tells. Colours are
the page's own, by name, so that a chart is light or dark with the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import altair as alt
import vl_convert
from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Bar", "bars", "intervals"]

#: One bar: its name, where it is, and its interval; None where there is none.
Bar = tuple[str, float, float | None, float | None]

#: Colours that no chart means, and the page's names for them.
_INK, _FAINT, _ACCENT = "#010203", "#040506", "#070809"
_NAMES = {_INK: "var(--ink)", _FAINT: "var(--line)", _ACCENT: "var(--accent)"}
_FONT = "system-ui, sans-serif"
#: Narrow, since a phone shows it at this size and a desk enlarges it.
_WIDTH, _STEP, _LABEL = 215, 24, 120
_SVG = "http://www.w3.org/2000/svg"


def intervals(rows: Sequence[Bar], *, title: str, label: str) -> Markup:
    """A dot and its interval for each entrant, from above to below.

    Args:
        rows: In the order in which they are shown.
        title: Of the axis.
        label: What is seen, for those who do not see it.
    """
    data = alt.InlineData(
        values=[
            {"name": name, "value": value, "low": value if low is None else low, "high": _or(high, value)}
            for name, value, low, high in rows
        ]
    )
    y = alt.Y("name:N", sort=None, title=None, axis=alt.Axis(ticks=False, labelPadding=6))
    base = alt.Chart(data, width=_WIDTH, height=alt.Step(_STEP))
    lines = base.mark_rule(strokeWidth=2, color=_ACCENT).encode(
        y=y, x=alt.X("low:Q", title=title, scale=alt.Scale(zero=False)), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=60, color=_ACCENT, opacity=1).encode(y=y, x="value:Q")
    return _svg(lines + dots, label)


def bars(rows: Sequence[Bar], *, title: str, label: str) -> Markup:
    """A bar from nought, and its interval, for each name; the arguments are those of `intervals`."""
    data = alt.InlineData(
        values=[
            {"name": name, "value": value, "low": value if low is None else low, "high": _or(high, value)}
            for name, value, low, high in rows
        ]
    )
    y = alt.Y("name:N", sort=None, title=None, axis=alt.Axis(ticks=False, labelPadding=6))
    base = alt.Chart(data, width=_WIDTH, height=alt.Step(_STEP))
    fills = base.mark_bar(color=_ACCENT, opacity=0.45, height=12).encode(y=y, x=alt.X("value:Q", title=title))
    lines = base.mark_rule(strokeWidth=2, color=_INK).encode(y=y, x="low:Q", x2="high:Q")
    return _svg(fills + lines, label)


def _or(value: float | None, other: float) -> float:
    return other if value is None else value


def _svg(chart: Any, label: str) -> Markup:
    chart = (
        chart.configure_axis(
            labelColor=_INK,
            labelFont=_FONT,
            labelFontSize=11,
            labelLimit=_LABEL,
            titleColor=_INK,
            titleFont=_FONT,
            titleFontSize=11,
            titleFontWeight="normal",
            gridColor=_FAINT,
            tickColor=_FAINT,
            domain=False,
        )
        .configure_view(stroke=None)
        .properties(background="transparent")
    )
    return _in_page(vl_convert.vegalite_to_svg(chart.to_json()), label)


def _in_page(drawn: str, label: str) -> Markup:
    """The drawing with the page's colours, as one picture with one name."""
    ET.register_namespace("", _SVG)
    root = ET.fromstring(drawn)  # noqa: S314 - vl-convert's own, in which text is escaped
    for element in root.iter():
        for name in [name for name in element.attrib if name == "role" or name.startswith("aria-")]:
            del element.attrib[name]
        for name in ("fill", "stroke"):
            colour = element.get(name, "")
            element.set(name, _NAMES[colour]) if colour in _NAMES else None
    root.attrib.pop("width")
    root.attrib.pop("height")
    root.set("class", "chart")
    root.set("role", "img")
    root.set("aria-label", label)
    return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704 - serialised by ElementTree, text escaped
