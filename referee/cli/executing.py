"""What plays the blocks of a run: worker processes here, this process itself, or the workers of a Dask cluster."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast, get_args

from referee.cli.extras import cluster_extra
from referee.config import Executing
from referee.errors import RefereeError
from referee.executor import halt_here, halt_workers, in_process, local_pool
from referee.report.tables import count

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from referee.cluster.executor import DaskExecutor
    from referee.config import Config

__all__ = ["Workers", "check_executor", "executor_text", "workers_of"]


@dataclass(frozen=True, slots=True)
class Workers:
    """What `Tournament.run` is to know of its workers.

    Args:
        executor: Makes the executor.
        halt: Asks its workers for what they have finished.
        jobs: How many blocks they play at once now; None: as the tournament says.
    """

    executor: Callable[[], Executor]
    halt: Callable[[], None]
    jobs: Callable[[], int] | None = None


def check_executor(config: Config, executor: str | None, scheduler: str | None) -> Config:
    """The tournament with another executor than the file's, where one is asked for.

    Raises:
        RefereeError: There is none such, or it cannot play this tournament.
    """
    if executor is not None:
        if executor not in get_args(Executing):
            raise RefereeError(f"--executor {executor}: it is one of {', '.join(get_args(Executing))}")
        config = replace(config, executor=cast("Executing", executor))
    if config.executor != "dask":
        if scheduler is not None:
            raise RefereeError(f"--scheduler {scheduler} goes with --executor dask")
        if config.executor == "inline":
            if (config.given_jobs or 1) > 1:
                raise RefereeError(f"inline plays one block at a time, and jobs is {config.given_jobs}")
            config = replace(config, jobs=1)
        return config
    remote = next((one.name for one in config.entrants if one.spec.is_remote), None)
    if remote is not None:
        raise RefereeError(
            f'a remote bot ("{remote}") dials in at this machine, and with dask the games are played on others'
        )
    with cluster_extra("dask needs"):
        from referee.cluster.executor import address_of
    return replace(config, scheduler=address_of(scheduler or config.scheduler))


def executor_text(config: Config) -> str:
    """What plays, in some words."""
    if config.executor == "inline":
        return "played by this process"
    if config.executor == "pool":
        return count(config.jobs, "worker")
    most = f", at most {count(config.given_jobs, 'block')} at once" if config.given_jobs else ""
    return f"on the Dask cluster at {config.scheduler}{most}"


def workers_of(config: Config, tell: Callable[[str], None]) -> Workers:
    """The workers of a tournament.

    Args:
        config: The tournament, as `check_executor` gives it.
        tell: Is told what the user should know of them.
    """
    if config.executor == "inline":
        return Workers(in_process, halt_here)
    if config.executor == "pool":
        return Workers(lambda: local_pool(config.jobs), halt_workers)
    return _cluster(config, tell)


def _cluster(config: Config, tell: Callable[[str], None]) -> Workers:
    from referee.cluster.executor import DaskExecutor

    made: list[DaskExecutor] = []

    def executor() -> Executor:
        made[:] = [
            DaskExecutor(
                config.scheduler or "", tell, most=config.given_jobs, stop_seconds=config.limits.stop_seconds
            )
        ]
        return made[0]

    def halt() -> None:
        made[0].halt()

    return Workers(executor, halt, lambda: made[0].slots)
