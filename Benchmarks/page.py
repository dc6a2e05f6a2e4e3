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
        self._updated = []

    @classmethod
    async def open(cls, server, number):
        url = f"ws://127.0.0.1:{server.port}{server.path}?page={uuid.uuid4().hex}"
        cookie = {"Cookie": f"footbridge_session={number:032x}"}
        socket = await connect(url, subprotocols=[server.subprotocol], additional_headers=cookie, compression=None)
        page = cls(socket)
        await page.call("footbridge.hello", {})
        return page

    async def call(self, action, data):
        """Sends a request and returns the data of its response. Keeps what callbacks tell of transactions, and agrees to questions of the host."""
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
                await self._take(message)
        raise RuntimeError(f"{action} was not answered: the server closed the connection, {self._socket.close_code} {self._socket.close_reason}")

    async def updated(self, state):
        """Waits until a transaction is in this state, and returns it. Each is returned once."""
        async with asyncio.timeout(20):
            while True:
                for transaction in self._updated:
                    if transaction["transactionState"] == state:
                        self._updated.remove(transaction)
                        return transaction
                await self._take(json.loads(await self._socket.recv()))

    async def _take(self, message):
        """Takes a message that is no answer."""
        if message["type"] == "request":
            await self._agree(message)
        elif message["payload"]["action"] == "onside.onTransactionsUpdated":
            self._updated += message["payload"]["data"]["transactions"]

    async def _agree(self, question):
        payload = {"action": question["payload"]["action"], "status": "success", "data": {"result": True}}
        await self._socket.send(json.dumps({**question, "type": "response", "payload": payload}))

    async def close(self):
        """Closes the connection as a page does that leaves for good."""
        await self._socket.close(1001)
