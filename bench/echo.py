"""The limit of the wire: raw gRPC streams that carry what a tournament's carried, with nobody who understands it.

The same bytes go in the same batches between as many processes: for each worker of the tournament a server made as the
referee makes its own, for each bot a client made as the SDK makes its own. Each end sends its next message as soon as all
have come that had come before it in the tournament; none is parsed.
"""

from __future__ import annotations

import asyncio
import itertools
import queue
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
from grpc import aio

from bench.traces import Trace, read_trace, write_trace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Echo", "replay"]

_METHOD = ("bench.Echo", "Play")
_MESSAGE_BYTES = 1 << 20
#: Seconds after which a replay has got stuck.
_PATIENCE = 600


@dataclass(frozen=True, slots=True)
class Echo:
    """What a replay took.

    Args:
        seconds: From when all had joined until the last message.
        server_cpu: CPU seconds of the servers in this time.
    """

    seconds: float
    server_cpu: float


def replay(traces: Sequence[Trace]) -> Echo:
    """Send all of it again."""
    by_server = [
        list(group)
        for _, group in itertools.groupby(
            sorted(traces, key=lambda one: one.address), lambda one: one.address
        )
    ]
    with tempfile.TemporaryDirectory() as folder:
        processes = []
        for number, group in enumerate(by_server):
            home = Path(folder, str(number))
            home.mkdir()
            for place, trace in enumerate(group):
                write_trace(home / f"{place}.trace", trace)
            processes.append(
                subprocess.Popen(
                    [sys.executable, "-m", "bench.echo", "server", home],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
        for process in processes:
            assert process.stdout is not None
            process.stdout.readline()
        start = time.perf_counter()
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        spent = [float(process.communicate(timeout=_PATIENCE)[0]) for process in processes]
        seconds = time.perf_counter() - start
    if any(process.returncode for process in processes):
        raise ChildProcessError("a server of the echo has failed")
    return Echo(seconds, sum(spent))


async def _serve(home: Path, scripts: dict[str, list[tuple[bool, bytes]]]) -> None:
    """Start the clients, wait for the word, and say what CPU time it took."""
    joined, go, ended = asyncio.Semaphore(0), asyncio.Event(), asyncio.Semaphore(0)

    async def play(_: Any, context: aio.ServicerContext[bytes, bytes]) -> None:
        name: Any = await context.read()
        joined.release()
        await go.wait()
        for is_from_bot, data in scripts[name.decode()]:
            if is_from_bot:
                await context.read()
            else:
                await context.write(data)
        ended.release()

    server = aio.server(options=[("grpc.max_receive_message_length", _MESSAGE_BYTES)])
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(play)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(_METHOD[0], {_METHOD[1]: handler}),)
    )
    address = f"unix:{home / 'echo.sock'}"
    server.add_insecure_port(address)
    await server.start()
    clients = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bench.echo", "client", home, name, address
        )
        for name in scripts
    ]
    for _ in scripts:
        await joined.acquire()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    before = time.process_time()
    go.set()
    for _ in scripts:
        await ended.acquire()
    print(time.process_time() - before, flush=True)
    await server.stop(None)
    for client in clients:
        await client.wait()


def _answer(home: Path, name: str, address: str) -> None:
    """Send what the bot sent, when it may."""
    script = read_trace(home / f"{name}.trace").messages
    due: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def requests() -> Iterator[bytes]:
        yield name.encode()
        while (data := due.get()) is not None:
            yield data

    with grpc.insecure_channel(address) as channel:
        call: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream("/{}/{}".format(*_METHOD))
        responses = call(requests())
        for is_from_bot, data in script:
            if is_from_bot:
                due.put(data)
            else:
                next(responses)
        due.put(None)
        for _ in responses:  # until the server has had everything
            pass


def main() -> None:
    """One process of it."""
    role, home, *rest = sys.argv[1:]
    if role == "server":
        scripts = {path.stem: read_trace(path).messages for path in Path(home).glob("*.trace")}
        asyncio.run(_serve(Path(home), scripts))
    else:
        _answer(Path(home), *rest)


if __name__ == "__main__":
    main()
