"""The errors that an organiser can mend: one line each, which `tourney` prints before it leaves with status 2.

RefereeError
├── ConfigError        the tournament file, or a key of it      (referee.toml_reading)
├── ScheduleError      there is no such plan                    (referee.schedule)
├── StopRuleError      there is no such stop rule             (referee.sequential)
├── AuditError         a store's identity cannot be read      (referee.audit.terms)
├── StoreError         the store cannot be used                 (referee.store_errors)
├── RatingFileError     the file of `tourney rate`               (referee.rating_file)
├── UnreadableError    a file of records cannot be read         (referee.report.verdicts)
└── RunError           the run cannot go on                     (referee.tournament)
"""

from __future__ import annotations

__all__ = ["RefereeError"]


class RefereeError(ValueError):
    """Something that the organiser can mend; its text is one line: what is wrong, where, what would be right."""
