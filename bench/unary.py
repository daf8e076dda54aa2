"""Decisions per second where each is one unary gRPC round trip, put to four trivial Python bots with real views of Trix."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

import grpc.aio

from cardtable.catalog import GAMES
from cardtable.engine import Deal
from cardtable.v1 import table_pb2
from cardtable.wire import codec

__all__ = ["unary_decisions"]

HERE = Path(__file__).parent


def unary_decisions(seconds: float, tables: int) -> float:
    """Decisions per second, one unary round trip each, to four bots at so many tables at once."""
    with tempfile.TemporaryDirectory() as folder:
        addresses = [f"unix:{folder}/{number}.sock" for number in range(4)]
        bots = [
            subprocess.Popen(
                [sys.executable, HERE / "unary_bot.py", address],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            for address in addresses
        ]
        try:
            for bot in bots:
                assert bot.stdout is not None
                bot.stdout.readline()
            return asyncio.run(_ask(addresses, seconds, tables))
        finally:
            for bot in bots:
                bot.kill()
                bot.communicate()


async def _ask(addresses: list[str], seconds: float, tables: int) -> float:
    asks = _asks(2000)
    count, until = 0, time.perf_counter() + seconds
    channels = [grpc.aio.insecure_channel(address) for address in addresses]
    calls: list[Any] = [
        channel.unary_unary(
            "/bench.Bot/Decide",
            request_serializer=table_pb2.Ask.SerializeToString,
            response_deserializer=table_pb2.Answer.FromString,
        )
        for channel in channels
    ]

    async def table(number: int) -> None:
        nonlocal count
        turn = number
        while time.perf_counter() < until:
            await calls[turn % 4](asks[turn % len(asks)])
            turn += 1
            count += 1

    start = time.perf_counter()
    await asyncio.gather(*(table(number) for number in range(tables)))
    spent = time.perf_counter() - start
    for channel in channels:
        await channel.close()
    return count / spent


def _asks(wanted: int) -> list[table_pb2.Ask]:
    """Questions of real random games, those with a choice."""
    game, rng, asks = GAMES["trix"], Random(1), list[table_pb2.Ask]()
    variant = game.variant({})
    while len(asks) < wanted:
        state = game.new_state(variant)
        while not state.is_over:
            if state.needs_deal:
                state.deal(Deal.shuffled(game.hand_sizes(variant), rng))
                continue
            legal = state.legal_actions()
            if len(legal) > 1 and state.to_act is not None:
                ask = table_pb2.Ask(table=1, turn=len(asks) + 1)
                codec("trix").set_view(ask, state.view(state.to_act))
                asks.append(ask)
            state.apply(legal.sample(rng))
    return asks[:wanted]
