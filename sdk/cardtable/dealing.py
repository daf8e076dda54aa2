"""From seeds to cards: the seeds of boards and seats, and the shuffle, as docs/protocol.md writes them down.

Everything follows from the master seed by HMAC-SHA-256, so that no seed tells anything of another. Anyone can
redo a deal in another language; the test vectors in docs/protocol.md are run as tests.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

from cardtable.engine import Deal

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Dealer", "board_seed", "bot_seed", "shuffled_deck"]


def board_seed(master: bytes, competition: str, board: int) -> bytes:
    """The seed of one board, 32 bytes; every seating of the board plays the cards that follow from it.

    Args:
        master: The tournament's seed, 32 bytes.
        competition: The competition's name; two competitions of a tournament share no deal.
        board: Number of the board, from 0.
    """
    return _hmac(master, f"board {competition} {board}")


def bot_seed(board: bytes, seating: int, seat: int) -> int:
    """The number that a bot may base its random choices on, 0..2**63 - 1; it tells nothing of the cards."""
    return int.from_bytes(_hmac(board, f"bot {seating} {seat}")[:8], "big") >> 1


class Dealer:
    """Deals the cards of a board: the same seed and key give the same cards, whatever else was dealt.

    Args:
        seed: The board's seed, as a record shows it.
        sizes: Cards for each seat; what is left of 52 is the kitty.
    """

    __slots__ = ("_seed", "_sizes")

    def __init__(self, seed: bytes, sizes: Sequence[int]) -> None:
        self._seed = seed
        self._sizes = tuple(sizes)

    def deal(self, key: str) -> Deal:
        """Deal the cards of this deal key (`State.deal_key`)."""
        return Deal.of_deck(shuffled_deck(_hmac(self._seed, f"deal {key}")), self._sizes)


def shuffled_deck(key: bytes) -> list[int]:
    """A permutation of 0..51: Fisher-Yates from the top, over a SHA-256 counter stream, without modulo bias.

    The stream is SHA-256(key + counter) for the counters 0, 1, ... as four bytes, big-endian, cut into 16-bit
    big-endian numbers. For i from 51 down to 1 the next number below the greatest multiple of i + 1 that 65536
    holds gives j = number mod (i + 1), greater ones are passed over, and places i and j change their cards.
    """
    deck = list(range(52))
    block, position, counter = b"", 32, 0
    for i in range(51, 0, -1):
        size = i + 1
        limit = 65536 - 65536 % size
        while True:
            if position == 32:
                block = hashlib.sha256(key + counter.to_bytes(4, "big")).digest()
                position, counter = 0, counter + 1
            number = block[position] << 8 | block[position + 1]
            position += 2
            if number < limit:
                break
        j = number % size
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
