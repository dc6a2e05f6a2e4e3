"""A page of Footbridge as a client in this process, which prepares measurements."""

import asyncio
import json
import uuid

from websockets.asyncio.client import connect

import load


class Page:
    """A page in the session of connection NUMBER of the load generator."""

    def __init__(self, socket):
        self._socket = socket

    @classmethod
    async def open(cls, server, number):
        url = f"ws://127.0.0.1:{server.port}{server.path}?page={uuid.uuid4().hex}"
        cookie = {"Cookie": f"footbridge_session={number:032x}"}
        socket = await connect(url, subprotocols=[server.subprotocol], additional_headers=cookie, compression=None)
        page = cls(socket)
        await page.call("footbridge.hello", {})
        return page

    async def call(self, action, data):
        """Sends a request and returns the data of its response. Ignores events, and agrees to questions of the host."""
        request = load.request(action, data)
        request["correlationId"] = str(uuid.uuid4())
        await self._socket.send(json.dumps(request))
        async with asyncio.timeout(20):
            async for text in self._socket:
                message = json.loads(text)
                if message["correlationId"] == request["correlationId"]:
                    if message["payload"]["status"] != "success":
                        raise RuntimeError(f"{action}: {message['payload']}")
                    return message["payload"].get("data")
                if message["type"] == "request":
                    await self._agree(message)
        raise RuntimeError(f"{action} was not answered")

    async def _agree(self, question):
        payload = {"action": question["payload"]["action"], "status": "success", "data": {"result": True}}
        await self._socket.send(json.dumps({**question, "type": "response", "payload": payload}))

    async def close(self):
        """Closes the connection as a page does that leaves for good."""
        await self._socket.close(1001)
