"""Joins and leaves again, `churning_bot.py TIMES SECONDS`, and then plays its first legal actions for good.

Of each stream it reads the welcome, and then nothing for so many seconds.
"""

from __future__ import annotations

import os
import queue
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import grpc

from cardtable.wire import join_request
from cardtable.wire.service import play

if TYPE_CHECKING:
    from cardtable.v1 import table_pb2


def main() -> None:
    address, token = os.environ["CARDTABLE_REFEREE"], os.environ["CARDTABLE_TOKEN"]
    games: dict[str, dict[str, list[str]]] = {"trix": {}, "vytrix": {}}
    join = join_request(token, bot_name="churn", bot_version="1", sdk="none", games=games)
    for _ in range(int(sys.argv[1])):
        with grpc.insecure_channel(address) as channel:
            requests: queue.SimpleQueue[table_pb2.PlayRequest | None] = queue.SimpleQueue()
            requests.put(join)
            with suppress(grpc.RpcError):
                next(iter(play(channel)(iter(requests.get, None))), None)
                time.sleep(float(sys.argv[2]))
            requests.put(None)
    os.execv(sys.executable, [sys.executable, str(Path(__file__).with_name("faulty_bot.py")), "none", "0"])


main()
