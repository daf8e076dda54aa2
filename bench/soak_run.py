"""The run that is soaked: starts it, hits its bots, kills its referee and starts it again, until its plan is complete.

Only does and notes; what it means is concluded in `bench.soak`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from bench.soak_cup import MARK, MOVE_SECONDS, SIGNALS
from bench.soak_judging import Hit

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from bench.soak_watch import Process, Watch

__all__ = ["Soaked"]

_STEP_SECONDS = 0.1
_SAMPLE_SECONDS = 1.0
#: How long the rest of the plan may take without hits, as a multiple of the time with them, and at least.
_REST, _LEAST_REST_SECONDS = 1.0, 240.0


class Soaked:
    """One tournament under fire.

    Args:
        folder: Holds its file `soak.toml`; store, logs and temporary files go there.
        watch: Looks at its processes.
        random: Decides whom to hit, when and with what.
        hit_seconds: Mean time between hits.
        restart_seconds: The referee is killed at this age; 0: never.
    """

    def __init__(
        self, folder: Path, watch: Watch, random: Random, hit_seconds: float, restart_seconds: float
    ) -> None:
        self.hits: list[Hit] = []
        #: Seconds until nothing of a killed run lived.
        self.ending: list[float] = []
        self.kills = 0
        #: Of the last referee; None while it has not ended by itself.
        self.status: int | None = None
        self.seconds = 0.0
        self._folder = folder
        self._watch = watch
        self._random = random
        self._hit_seconds = hit_seconds
        self._restart_seconds = restart_seconds
        self._began = time.monotonic()
        #: Stopped processes that are to go on, and when.
        self._sleepers: dict[Process, float] = {}
        self._dying: dict[tuple[int, int], float] = {}

    def run(self, seconds: float) -> None:
        """Run to the end of the plan.

        Args:
            seconds: Hits and kills end then; what is left of the plan is played in peace.
        """
        most = seconds + max(_LEAST_REST_SECONDS, _REST * seconds)
        while self.status is None and self._now() < most:
            with (self._folder / "run.log").open("ab") as log:
                referee = self._start(log.fileno())
            try:
                self._live(referee, seconds, most)
            finally:
                if referee.poll() is None:
                    referee.kill()
                referee.wait()
        self.seconds = self._now()
        # The last ones may still be ending.
        while self._dying and self._now() < self.seconds + 10:
            time.sleep(_STEP_SECONDS)
            self._note_ends(self._watch.sample(counts=False))
        self.ending += [self._now() - at for at in self._dying.values()]

    def _start(self, log: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "referee", "run", "soak.toml"],
            cwd=self._folder,
            env={**os.environ, MARK: self._watch.mark, "TMPDIR": str(self._folder)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )

    def _live(self, referee: subprocess.Popen[bytes], seconds: float, most: float) -> None:
        """One life of the referee, to its end or its death."""
        born = sampled = self._now()
        hit_at = born + self._random.expovariate(1 / self._hit_seconds)
        while True:
            time.sleep(_STEP_SECONDS)
            now = self._now()
            if referee.poll() is not None:
                self.status = referee.returncode
                return
            self._wake(now)
            fires = now < seconds
            if (fires and self._restart_seconds and now - born >= self._restart_seconds) or now >= most:
                alive = self._watch.sample(counts=False)
                referee.kill()
                self.kills += 1
                self._dying.update({(one.pid, one.began): now for one in alive if one.pid != referee.pid})
                return
            if now - sampled >= _SAMPLE_SECONDS or self._dying:
                counts = now - sampled >= _SAMPLE_SECONDS and now - born >= (self._restart_seconds or 20) / 2
                # Only full lives are alike: what is played in peace at the end may last for longer.
                counts = counts and (fires or not self._restart_seconds)
                sampled = now if now - sampled >= _SAMPLE_SECONDS else sampled
                self._note_ends(self._watch.sample(counts=counts))
            if fires and now >= hit_at:
                hit_at = now + self._random.expovariate(1 / self._hit_seconds)
                self._hit()

    def _hit(self) -> None:
        """Hit a bot of this life; those of the one before may still be ending."""
        alive = [
            one
            for one in self._watch.sample(counts=False)
            if SIGNALS.get(one.entrant) and one.state not in "TZ" and (one.pid, one.began) not in self._dying
        ]
        if not alive:
            return
        bot = self._random.choice(sorted(alive, key=lambda one: one.pid))
        name = self._random.choice(SIGNALS[bot.entrant])
        self._signal(bot, name)
        if name == "SIGSTOP" and self._random.random() < 0.75:
            # Half of them soon enough.
            self._sleepers[bot] = self._now() + self._random.uniform(0, 2 * MOVE_SECONDS)

    def _wake(self, now: float) -> None:
        for bot, at in list(self._sleepers.items()):
            if now >= at:
                del self._sleepers[bot]
                # By its number alone another process could be meant by now; waking one does no harm.
                self._signal(bot, "SIGCONT")

    def _signal(self, bot: Process, name: str) -> None:
        # Noted first, so that no fault can come before its hit.
        self.hits.append(Hit(round(self._now(), 2), bot.entrant, name, bot.pid))
        with suppress(ProcessLookupError):
            os.kill(bot.pid, signal.Signals[name])

    def _note_ends(self, alive: list[Process]) -> None:
        """Of each process of a killed run that is gone now, how long it outlived its referee."""
        living = {(one.pid, one.began) for one in alive}
        for key in [key for key in self._dying if key not in living]:
            self.ending.append(self._now() - self._dying.pop(key))

    def _now(self) -> float:
        return time.monotonic() - self._began
