"""Python's `websockets` with the task of the bridge: reads the envelope, and answers with the same correlation id."""

import asyncio
import contextlib
import json
import sys
import time

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

ANSWER = {"environment": "ios", "hostVersion": "1.0.0", "capabilities": {"camera.document": {"supported": False, "version": None}}}


async def answer(socket):
    # The load generator ends without a close frame.
    with contextlib.suppress(ConnectionClosed):
        async for text in socket:
            request = json.loads(text)
            response = {
                "version": "1.0", "correlationId": request["correlationId"], "type": "response", "timestamp": time.time_ns() // 1_000_000,
                "payload": {"action": request["payload"]["action"], "status": "success", "data": ANSWER},
            }
            await socket.send(json.dumps(response))


async def main():
    async with serve(answer, "127.0.0.1", int(sys.argv[1]), compression=None):
        print("python: ready", flush=True)
        await asyncio.Future()


asyncio.run(main())
