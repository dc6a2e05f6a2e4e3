"""External servers: an OAuth 2.0 token endpoint, and a collector of events."""

import contextlib
import http.server
import json
import threading
import urllib.parse

from promises import wait_for_promise


class Service:
    """An HTTP server that answers each POST with the result of `answer`."""

    def __init__(self):
        self.changed = threading.Condition()
        self.posts = []
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                with service.changed:
                    service.posts.append({"path": self.path, "type": self.headers["Content-Type"], "body": body,
                                          "authorization": self.headers["Authorization"]})
                    number = len(service.posts)
                    service.changed.notify_all()
                status, answer = service.answer(number, body)
                data = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                # The one who has asked may be gone.
                with contextlib.suppress(OSError):
                    self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/path"

    def wait_for(self, condition):
        with self.changed:
            assert self.changed.wait_for(condition, timeout=15), self.posts

    def answer(self, number, body):
        return 200, {}

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class TokenEndpoint(Service):
    """Rotates its refresh token with each exchange, and refuses a used one. While `gate` is closed, answers wait."""

    FIRST = "first-refresh-token-&=+ü"

    def __init__(self):
        super().__init__()
        self.gate = threading.Event()
        self.gate.set()
        self.failures = []
        self.issued = []
        self.refresh_tokens = [self.FIRST]

    def answer(self, number, body):
        assert self.gate.wait(15)
        form = dict(urllib.parse.parse_qsl(body))
        if self.failures:
            return self.failures.pop(0)
        if form.get("refresh_token") != self.refresh_tokens[-1]:
            return 400, {"error": "invalid_grant", "error_description": "spent " + form.get("refresh_token", "")}
        self.issued.append(f"access-token-{number}.{'x' * 40}")
        self.refresh_tokens.append(f"refresh-token-after-{number}")
        return 200, {
            "access_token": self.issued[-1], "token_type": "Bearer", "expires_in": 3600, "refresh_token": self.refresh_tokens[-1],
        }

    @staticmethod
    def wait_for_launch(page):
        """Waits until a page's app has the token that it has asked for at its launch."""
        wait_for_promise(page, """() => webkit.messageHandlers.todayWebViewBridge.postMessage({ type: "headers" })
          .then(({ Authorization }) => Authorization)""")

    @property
    def forms(self):
        return [dict(urllib.parse.parse_qsl(post["body"])) for post in self.posts]

    @property
    def secrets(self):
        return [*self.issued, *self.refresh_tokens]


class Collector(Service):
    """Keeps the events that it receives."""

    @property
    def events(self):
        return [event for post in self.posts for event in json.loads(post["body"])["batch"]]

    def event(self, name):
        """Waits for the event of this name."""
        self.wait_for(lambda: any(event["event"] == name for event in self.events))
        return next(event for event in self.events if event["event"] == name)
