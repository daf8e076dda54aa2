"""The plan of a competition, or what was played of it, in words: how often whom, where and with whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.schedule import Certificate

__all__ = ["certificate_lines"]


def certificate_lines(certificate: Certificate, *, changing_partners: bool) -> list[str]:
    """The counts of a certificate, least and greatest.

    Args:
        certificate: Of a plan, or of what was played.
        changing_partners: Whether partnerships are worth a word.
    """
    lines = [
        (
            f"boards at which a pair meets: {_span(certificate.meetings)};"
            f" boards that a bot sits out: {_span(certificate.sit_outs)}"
        ),
        (
            f"games of a bot in a seat: {_span(certificate.seats)};"
            f" games in which one bot plays right after another: {_span(certificate.follows)}"
        ),
    ]
    if changing_partners:
        lines.append(
            f"boards at which a pair are partners: {_span(certificate.partnerships)};"
            f" opponents: {_span(certificate.oppositions)}"
        )
    return [*lines, certificate.note] if certificate.note else lines


def _span(counts: tuple[int, int]) -> str:
    return f"{counts[0]:,}" if counts[0] == counts[1] else f"{counts[0]:,} to {counts[1]:,}"
