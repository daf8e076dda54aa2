"""The verdicts of `tourney verify` on files of records, and the audit of a store, for people and for programs.

A file that cannot be read is an error of the caller's; a line that is no record is a verdict on that record.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cardtable.record import GameRecord, RecordError
from cardtable.replay import Replayed, ReplayError, replay
from referee.audit.game import why_wrong
from referee.errors import RefereeError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from referee.audit.checks import Audit, Check
    from referee.database.address import StoreAddress
    from referee.schedule import Certificate

__all__ = ["UnreadableError", "audit_json", "audit_text", "verdict_text", "verdicts"]

#: Findings of one check that people are shown.
MOST_SHOWN = 20


class UnreadableError(RefereeError):
    """The file cannot be read; the message is one line and names it."""


def verdicts(path: Path) -> Iterator[Replayed]:
    """Replay every record of a file of JSON Lines; blank lines are passed over.

    Raises:
        UnreadableError: The file is missing, may not be read, is no UTF-8 text, or begins with no record at all.
    """
    is_first = True
    try:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                if not line.strip():
                    continue
                if is_first and not line.lstrip().startswith("{"):
                    raise UnreadableError(f"{path}: neither a store nor a file of records")
                is_first = False
                yield _verdict(line)
    except OSError as error:
        raise UnreadableError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{path}: no UTF-8 text: {error.reason}") from None


def _verdict(line: str) -> Replayed:
    try:
        record = GameRecord.from_line(line)
    except RecordError as error:
        return Replayed(ReplayError("format", str(error)))
    return replay(record)


def verdict_text(number: int, verdict: Replayed) -> str:
    """The verdict on one record for people: `ok` with the scores after each deal, or the first fault."""
    after = "; ".join(
        ("void " if deal.void else "") + " ".join(map(str, deal.scores_after)) for deal in verdict.deals
    )
    if verdict.ok:
        end = "over" if verdict.state is not None and verdict.state.is_over else "not over"
        return f"game {number}: ok, {end}; scores after each deal: {after or 'none yet'}"
    return f"game {number}: wrong: {why_wrong(verdict)}"


def audit_text(path: StoreAddress, audit: Audit) -> str:
    """The audit of a store for people: a line for each check, what does not hold, and a closing line."""
    lines = [f"{path}: promised by {audit.commitment}"]
    lines.append(f"seed {audit.seed.hex()}" if audit.seed is not None else "the seed is not revealed yet")
    for check in audit.checks:
        lines += _check_lines(check)
    for name, certificate in audit.certificates.items():
        lines.append(f"played in {name}: {_certificate_text(certificate)}")
    wrong = [check for check in audit.checks if not check.ok]
    if wrong:
        count = sum(len(check.findings) for check in wrong)
        found = f"{count:,} finding{'s' * (count != 1)}"
        lines.append(f"{path} does NOT hold: {found} in {', '.join(check.name for check in wrong)}")
    else:
        lines.append(f"{path} holds")
    return "\n".join(lines)


def audit_json(audit: Audit) -> dict[str, object]:
    """The audit of a store as the last object of `tourney verify --json`."""
    return {
        "audit": {
            "ok": audit.ok,
            "commitment": audit.commitment,
            "seed": None if audit.seed is None else audit.seed.hex(),
            "checks": [
                {
                    "name": check.name,
                    "ok": check.ok,
                    "checked": check.checked,
                    "unit": check.unit,
                    "findings": [{"where": one.where, "what": one.what} for one in check.findings],
                    "notes": list(check.notes),
                }
                for check in audit.checks
            ],
            "certificates": {name: asdict(one) for name, one in audit.certificates.items()},
        }
    }


def _check_lines(check: Check) -> list[str]:
    unit = check.unit if check.checked != 1 else check.unit[:-1]
    lines = [f"{'ok' if check.ok else 'WRONG':<7}{check.name:<12}{check.checked:>9,} {unit}"]
    lines += [f"         {finding}" for finding in check.findings[:MOST_SHOWN]]
    if len(check.findings) > MOST_SHOWN:
        lines.append(f"         and {len(check.findings) - MOST_SHOWN:,} more")
    lines += [f"         note: {note}" for note in check.notes]
    return lines


def _certificate_text(certificate: Certificate) -> str:
    """Every count of a certificate, least and greatest."""
    return ", ".join(
        f"{key.replace('_', ' ')} {_span(value)}"
        for key, value in asdict(certificate).items()
        if value not in {None, ""}
    )


def _span(value: Any) -> str:
    if isinstance(value, list | tuple) and len(value) == 2 and all(type(one) is int for one in value):
        least, greatest = value
        return f"{least:,}" if least == greatest else f"{least:,} to {greatest:,}"
    return f"{value:,}" if isinstance(value, int) else str(value)
