"""Who plays whom, where, on which board: the plan of one competition, and its certificate.

Pure and resumable: the number of a board (of an adaptive plan: the boards before it) tells everything about it,
nothing is drawn and nothing remembered. Knows no game and plays nothing.

    plan         the words: plans, boards, seatings
    make         from what the tournament file asks to a plan
    fixed        plans that are known before the first deal
    groups       all tables
    balanced     designs of few tables
    whist        changing partners
    starters     what whist designs are made from
    adaptive     swiss and ladder
    counting     the certificate

    ScheduleError    there is no such plan: what is asked does not fit together
"""

from __future__ import annotations

from referee.schedule.counting import Certificate, certificate
from referee.schedule.make import make_plan
from referee.schedule.plan import BoardPlan, Plan, Rotations, Schedule, ScheduleError, Tables, Teams

__all__ = [
    "BoardPlan",
    "Certificate",
    "Plan",
    "Rotations",
    "Schedule",
    "ScheduleError",
    "Tables",
    "Teams",
    "certificate",
    "make_plan",
]
