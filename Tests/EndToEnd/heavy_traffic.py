"""Pages that send messages of many sizes, up to the largest that the server accepts, beside pages that send little and pages that hardly read.
The server must handle all this, and no connection may break."""

import json
import random
import secrets
import threading
import time

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

#: The largest message that the server accepts by default.
MESSAGE_BYTES = 16 << 20


def request(action, correlation_id, data="{}"):
    """Returns a request as bytes; `data` is JSON text. The client only has to mask and copy it."""
    if isinstance(data, str):
        data = data.encode()
    head = f'{{"version":"1.0","correlationId":"{correlation_id}","type":"request","timestamp":1,"payload":{{"action":"{action}","data":'
    return b"%b%b}}" % (head.encode(), data)


def contents(size):
    """Returns actions with data of about this size: images, many small values, and calls with bounds in the contracts."""
    numbers = range(size // 20)
    members = json.dumps({f"name{number}": number for number in numbers})
    yield "gbg.image", '{"image":"%s"}' % ("A" * size)
    yield "gbg.nested", '{"list":[%s[1]]}' % ("[1]," * (size // 4))
    yield "onside.trackEvent", '{"name":"event","parameters":%s}' % members
    yield "onside.loadProducts", json.dumps({"productIdentifiers": [f"product{number}" for number in numbers]})
    yield "today.message", '{"value":{"type":"track","ename":"event","parameters":%s}}' % members


class Traffic:
    """Threads of clients, which run until a test stops them."""

    def __init__(self, server, heavy=3, bystanders=4, slow=2, sizes=(64 << 10, 1 << 20, 5 << 20, (16 << 20) - 4096)):
        self.server = server
        #: The messages, made beforehand: a client that is busy making them cannot answer the server's pings.
        self.contents = [content for size in sizes for content in contents(size)]
        self.contents = [(action, data.encode()) for action, data in self.contents if len(data) < MESSAGE_BYTES - 1024]
        #: Messages and bytes of the pages that send much, and how many the server refused.
        self.messages = 0
        self.bytes = 0
        self.refused = 0
        #: Answered calls of bystanders and of slow readers.
        self.calls = 0
        self.connections = 0
        #: The longest wait of a bystander, in seconds.
        self.longest = 0
        #: Broken connections: whose, and how they ended.
        self.problems = []
        #: Set at the first problem.
        self.broken = threading.Event()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        clients = [self._send_much] * heavy + [self._stand_by] * bystanders + [self._read_slowly] * slow
        self._threads = [threading.Thread(target=self._run, args=(number, client)) for number, client in enumerate(clients)]
        for thread in self._threads:
            thread.start()

    def stop(self):
        self._stop.set()
        for thread in self._threads:
            thread.join(120)

    def __str__(self):
        return (f"{self.messages} large messages ({self.refused} refused), {self.bytes >> 20} MiB, {self.calls} other calls, "
                f"{self.connections} connections, {len(self.problems)} broken, longest wait {self.longest:.2f} s")

    def _run(self, number, client):
        chance = random.Random(number)
        while not self._stop.is_set():
            try:
                with self._connect() as websocket:
                    client(websocket, chance)
            except (ConnectionClosed, OSError, TimeoutError, AssertionError) as problem:
                with self._lock:
                    self.problems.append(f"{time.strftime('%H:%M:%S')} {client.__name__}: {problem!r}")
                self.broken.set()

    def _connect(self):
        with self._lock:
            self.connections += 1
        address = f"ws://127.0.0.1:{self.server.port}/__footbridge/bridge?page={secrets.token_hex(16)}"
        # Without pings of the client, which would break a connection that the server only delays.
        return connect(address, subprotocols=["footbridge.v1"], origin=self.server.url, compression=None, max_size=None,
                       open_timeout=60, ping_interval=None, additional_headers={"Cookie": f"footbridge_session={secrets.token_hex(16)}"})

    def _send(self, websocket, *parts):
        websocket.send(request(*parts), text=True)

    def _wait_for(self, websocket, correlation_id):
        """Returns the payload of the answer; ignores what comes before it."""
        while True:
            message = json.loads(websocket.recv(timeout=120))
            if message["correlationId"] == correlation_id:
                return message["payload"]
            if message["payload"].get("status") == "error":
                with self._lock:
                    self.refused += 1

    # Clients

    def _send_much(self, websocket, chance):
        """Runs a page that sends a few large messages, waits until the server has read each, and leaves."""
        for turn in range(chance.randint(1, 12)):
            if self._stop.is_set():
                return
            action, data = chance.choice(self.contents)
            self._send(websocket, action, f"{turn}", data)
            with self._lock:
                self.messages += 1
                self.bytes += len(data)
            self._send(websocket, "capability.query", f"after {turn}")
            self._wait_for(websocket, f"after {turn}")

    def _stand_by(self, websocket, chance):
        """Runs a page that always sends a little, on one connection."""
        number = 0
        while not self._stop.is_set():
            number += 1
            start = time.monotonic()
            self._send(websocket, "capability.query", f"{number}")
            assert self._wait_for(websocket, f"{number}")["status"] == "success"
            with self._lock:
                self.calls += 1
                self.longest = max(self.longest, time.monotonic() - start)
            self._stop.wait(chance.random() * 0.1)

    def _read_slowly(self, websocket, chance):
        """Runs a page that for a while sends more requests than it reads answers, and then reads them all."""
        while not self._stop.is_set():
            for number in range(2000):
                self._send(websocket, "capability.query", f"{number}")
            self._stop.wait(chance.random() * 2)
            self._wait_for(websocket, "1999")
            with self._lock:
                self.calls += 2000
