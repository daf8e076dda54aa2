"""A trained policy as a bot: from a view to numbers, and from the policy's numbers to an action.

Owns the codings of all games, and the steps of a decision that takes several numbers. Loads no PettingZoo.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, SupportsInt

from cardtable.bot import Bot
from cardtable.catalog import UnknownGameError
from cardtable.rl import trix_coding, vytrix_coding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardtable.rl.coding import Array, Coding, Mask

__all__ = ["CODINGS", "Policy", "PolicyError", "choose", "policy_bot"]

#: Every game in numbers, by its name.
CODINGS: Final[dict[str, Coding]] = {"trix": trix_coding.CODING, "vytrix": vytrix_coding.CODING}


class Policy(Protocol):
    """Anything that is called with an observation and a mask of legal numbers, and gives one of them."""

    def __call__(self, observation: Array, mask: Mask, /) -> SupportsInt:
        """Return the number of a legal action; neither array is used again, so that both may be written to."""


class PolicyError(ValueError):
    """A policy gave a number that is not legal.

    Args:
        number: What it gave.
        mask: What was legal.
    """

    def __init__(self, number: int, mask: Mask) -> None:
        legal = [place for place, one in enumerate(mask) if one]
        shown = ", ".join(map(str, legal[:20])) + (", …" if len(legal) > 20 else "")
        super().__init__(f"the policy gave {number}, which the mask forbids; legal: {shown}")
        self.number = number
        self.mask = mask


def choose(view: Any, policy: Policy) -> Any:
    """Return the action of a policy at a view; a bid and a discard are asked of it in several steps.

        def trix(self, view: TrixView) -> TrixAction:
            return choose(view, self.net)

    Args:
        view: The view of a seat that acts, of any game.
        policy: Gives the number of an action.

    Raises:
        PolicyError: It gave one that the mask forbids.
        ValueError: The view's seat does not act.
    """
    if view.to_act != view.seat:
        raise ValueError(f"seat {view.seat} is not asked")
    coding = CODINGS[view.game]
    chosen: tuple[int, ...] = ()
    while True:
        mask = coding.mask(view, chosen)
        # The policy gets a copy: one that writes to its mask must not make its own choice legal.
        number = int(policy(coding.observe(view, chosen), mask.copy()))
        if not 0 <= number < coding.actions or not mask[number]:
            raise PolicyError(number, mask)
        chosen = (*chosen, number)
        action = coding.decode(chosen, view)
        if action is not None:
            return action


def policy_bot(
    game: str,
    policy: Policy,
    *,
    name: str = "policy",
    version: str = "",
    plays: Mapping[str, Iterable[object]] | None = None,
) -> type[Bot]:
    """Return a bot that plays one game as a policy does; `cardtable.run` and `cardtable.play` take it.

        run(policy_bot("trix", net, name="net"))

    A class of two of them plays both games: ``class Both(policy_bot("trix", a), policy_bot("vytrix", b))``.

    Args:
        game: Name of the game.
        policy: Called with an observation and a mask, gives the number of an action.
        name: The bot's name.
        version: The bot's version.
        plays: The values of options that the policy can play, such as ``{"players": [3]}``; None: all.

    Raises:
        UnknownGameError: There is no such game.
    """
    if game not in CODINGS:
        raise UnknownGameError(game)

    def decide(self: Bot, view: Any) -> Any:
        del self
        return choose(view, policy)

    limits = {} if plays is None else {game: dict(plays)}
    return type(
        "PolicyBot",
        (Bot,),
        {"name": name, "version": version, "plays": limits, game: decide, "__module__": __name__},
    )
