"""A table as a PettingZoo environment: the engine's own game, one agent for each seat, the agent that acts next.

Owns episodes: dealing from a seed, rewards, ends, and what happens to a number that is not legal. Knows no game: what
numbers mean is the coding's.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

import numpy as np

from cardtable import catalog
from cardtable.dealing import Dealer, board_seed

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper
except ImportError as _missing:
    raise ImportError("the environments need pettingzoo: pip install 'cardtable[rl]'") from _missing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pettingzoo.utils.env import ParallelEnv

    from cardtable.engine import State
    from cardtable.rl.coding import Array, Coding, Mask

__all__ = ["TableEnv", "in_order", "one_step_each"]

Reward = Literal["deal", "game"]
Illegal = Literal["house", "raise"]


class TableEnv(AECEnv[str, dict[str, Any], Any]):
    """One game after another; every agent ``player_0``, ``player_1``, … is the seat of its number.

    An agent that has one legal action is not asked, as at a referee's table, unless `ask_forced`. An observation is
    ``{"observation": …, "action_mask": …}``; the mask of an agent that does not act is all 0. An agent's info counts the
    completed ``deals`` of the game, and the agent's ``illegal`` numbers.

    Args:
        variant: Options of the game that differ from their defaults.
        reward: When points are given: ``deal`` at the end of each deal, ``game`` all at the end of the agent's
            episode. They are the points of the agent, or of its side where sides score.
        max_cycles: Decisions of each agent; one that has made them is truncated, and the house plays for it while
            others still have some to make.
        max_steps: Decisions of all agents together; then all are truncated.
        max_deals: Completed deals; then all are truncated.
        ask_forced: Whether an agent is also asked where it has one legal action.
        illegal: What is done for an agent whose number is not legal: the ``house`` plays, as at a referee's table,
            and the agent's info counts it; or a ValueError is ``raise``-d.
        render_mode: ``ansi``: `render` returns text; ``human``: every step prints it.

    Raises:
        ValueError: An argument is not what it has to be.
        VariantError: An option or its value is unknown, or does not fit the others.
    """

    game: ClassVar[str]
    coding: ClassVar[Coding]

    def __init__(
        self,
        variant: Mapping[str, object] | None = None,
        *,
        reward: Reward = "deal",
        max_cycles: int | None = None,
        max_steps: int | None = None,
        max_deals: int | None = None,
        ask_forced: bool = False,
        illegal: Illegal = "house",
        render_mode: Literal["ansi", "human"] | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # PettingZoo gives it no types
        limits = {"max_cycles": max_cycles, "max_steps": max_steps, "max_deals": max_deals}
        for name, limit in limits.items():
            if limit is not None and limit < 1:
                raise ValueError(f"{name} is 1 or more, or None, not {limit!r}")
        for name, value, allowed in (
            ("reward", reward, ("deal", "game")),
            ("illegal", illegal, ("house", "raise")),
            ("render_mode", render_mode, (None, *self.metadata["render_modes"])),
        ):
            if value not in allowed:
                raise ValueError(f"{name} is one of {', '.join(map(repr, allowed))}, not {value!r}")
        self._rules: Final = catalog.game(self.game)
        self.variant: Final = self._rules.variant(variant or {})
        self.render_mode = render_mode
        self._reward, self._illegal, self._ask_forced = reward, illegal, ask_forced
        self._max_cycles, self._max_steps, self._max_deals = max_cycles, max_steps, max_deals
        self.possible_agents = [f"player_{seat}" for seat in range(self.variant.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._groups = {
            agent: next(
                place for place, group in enumerate(self._rules.groups(self.variant)) if seat in group
            )
            for agent, seat in self._seats.items()
        }
        low, high = self.coding.fields.bounds()
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (self.coding.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(self.coding.actions) for agent in self.possible_agents}
        self._master = secrets.token_bytes(32)
        self._episode = 0

    def observation_space(self, agent: str) -> spaces.Dict:
        """The observation and the mask of an agent; the same object each time."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbers of all actions; the same object each time."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game.

        Args:
            seed: All cards of this game follow from it, and those of the games that are begun after it without one.
            options: Not used.
        """
        del options
        if seed is not None:
            self._master = hashlib.sha256(f"cardtable.rl {seed}".encode()).digest()
            self._episode = 0
        self._dealer = Dealer(
            board_seed(self._master, "rl", self._episode), self._rules.hand_sizes(self.variant)
        )
        self._episode += 1
        self._state: State[Any, Any] = self._rules.new_state(self.variant)
        self._scores = self._state.group_scores
        self._chosen: tuple[int, ...] = ()
        self._asked: tuple[Any, Mask] | None = None
        self._steps = self._deals = 0
        self._cycles = dict.fromkeys(self.possible_agents, 0)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._kept = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"deals": 0, "illegal": 0} for agent in self.agents}
        self._skip_agent_selection = None  # type: ignore[assignment] # so PettingZoo's own code does
        self._go_on()
        self._show()

    def step(self, action: int | None) -> None:
        """Make the agent that is selected act; None for one whose episode is over.

        Raises:
            ValueError: The number is not legal, where `illegal` is ``raise``; the game is as it was.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to act: None is for an agent whose episode is over")
        view, mask = self._ask()
        number = int(action)
        is_legal = 0 <= number < len(mask) and bool(mask[number])
        if not is_legal and self._illegal == "raise":
            raise ValueError(f"{agent} gave {number}, which its mask forbids")
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        self._asked = None
        if is_legal:
            self._chosen = (*self._chosen, number)
            made = self.coding.decode(self._chosen, view)
        else:
            self.infos[agent] = {**self.infos[agent], "illegal": self.infos[agent]["illegal"] + 1}
            made = self._rules.house_action(view)
        if made is not None:
            self._apply(made)
        self._steps += 1
        self._cycles[agent] += 1
        if self._cycles[agent] == self._max_cycles:
            self._truncate(agent)
        if self._steps == self._max_steps or (self._max_deals is not None and self._deals >= self._max_deals):
            self._truncate(*self.agents)
        self._go_on()
        for one in self.agents:
            if not self._goes_on(one):
                self.rewards[one] += self._kept[one]
        self._accumulate_rewards()
        self._deads_step_first()
        self._show()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent's seat may know now."""
        if self._state.to_act == self._seats[agent] and self._goes_on(agent):
            view, mask = self._ask()
            return {"observation": self.coding.observe(view, self._chosen), "action_mask": mask.copy()}
        observation = self.coding.observe(self.view(agent))
        return {"observation": observation, "action_mask": np.zeros(self.coding.actions, np.int8)}

    def view(self, agent: str) -> Any:
        """The view of an agent's seat, from which its observation is made: for features of one's own."""
        return self._state.view(self._seats[agent])

    @property
    def state_space(self) -> spaces.Box:
        """Of `state`."""
        low, high = self.coding.fields.bounds()
        players = len(self.possible_agents)
        return spaces.Box(np.tile(low, players), np.tile(high, players), dtype=np.float32)

    def state(self) -> Array:
        """The observations of all seats, one after the other, for a critic that sees all hands."""
        return np.concatenate([self.coding.observe(self.view(agent)) for agent in self.possible_agents])

    def render(self) -> str | None:
        """The table as the agent that is selected sees it: text for ``ansi``; printed for ``human``."""
        if self.render_mode is None:
            return None
        text = self._text()
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is open."""

    def _goes_on(self, agent: str) -> bool:
        return not (self.terminations.get(agent, True) or self.truncations.get(agent, True))

    def _ask(self) -> tuple[Any, Mask]:
        """The view and mask of the seat that acts, kept until it has acted."""
        if self._asked is None:
            assert self._state.to_act is not None
            view = self._state.view(self._state.to_act)
            self._asked = view, self.coding.mask(view, self._chosen)
        return self._asked

    def _apply(self, action: Any) -> None:
        state = self._state
        self._chosen = ()
        state.apply(action)
        if not (state.needs_deal or state.is_over):
            return
        if not state.ended_void:
            self._deals += 1
            for agent in self.agents:
                self.infos[agent] = {**self.infos[agent], "deals": self._deals}
        before, self._scores = self._scores, state.group_scores
        due = self.rewards if self._reward == "deal" else self._kept
        for agent in self.agents:
            group = self._groups[agent]
            due[agent] += float(self._scores[group] - before[group])

    def _truncate(self, *agents: str) -> None:
        for agent in agents:
            self.truncations[agent] = True

    def _go_on(self) -> None:
        """Deal, and make what nobody is asked for, until an agent has to act or no episode goes on."""
        state = self._state
        while not state.is_over and not all(self.truncations.values()):
            if state.needs_deal:
                state.deal(self._dealer.deal(state.deal_key))
                continue
            assert state.to_act is not None
            agent = self.possible_agents[state.to_act]
            legal = state.legal_actions()
            if len(legal) == 1 and not self._ask_forced:
                self._apply(next(iter(legal)))
            elif not self._goes_on(agent):
                self._apply(self._rules.house_action(state.view(state.to_act)))
            else:
                self.agent_selection = agent
                return
            if self._max_deals is not None and self._deals >= self._max_deals:
                self._truncate(*self.agents)
        if state.is_over:  # whoever was truncated before this step is an agent no more
            self.terminations = dict.fromkeys(self.agents, True)
            self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _text(self) -> str:
        if not self.agents:
            return f"{self._rules.title_of(self.variant)}: over, scores {self._listed(self._state.scores)}"
        view = self.view(self.agent_selection)
        head = [self._rules.title_of(self.variant), f"scores {self._listed(view.scores)}"]
        if view.contract is not None:
            head.append(str(view.contract))
        played = [f"{card}({seat})" for card, seat in zip(view.played, view.played_by, strict=True)]
        lines = [
            ", ".join(head),
            f"played: {' '.join(played) or '-'}",
            f"{self.agent_selection}: {view.hand}",
        ]
        if view.to_act == view.seat:
            lines.append(f"legal: {' '.join(view.legal_actions.texts())}")
        if self._chosen:
            lines.append(f"chosen: {' '.join(map(str, self._chosen))}")
        return "\n".join(lines)

    @staticmethod
    def _listed(scores: tuple[int, ...]) -> str:
        return " ".join(map(str, scores))


def in_order(env: TableEnv) -> AECEnv[str, dict[str, Any], Any]:
    """The environment in PettingZoo's checks: numbers outside of the space and calls out of order are errors."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(env))


def one_step_each(env: TableEnv) -> ParallelEnv[str, dict[str, Any], Any]:
    """The environment as a parallel one: all agents give a number at each step, and that of the one that acts counts."""
    return turn_based_aec_to_parallel(env)
