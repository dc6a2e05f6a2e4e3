"""A site for pages of the Today WebView. Usage: python today_site.py PORT

It keeps its requests, and returns them for `/__requests`.
"""

import base64
import hashlib
import http.server
import json
import sys
import threading
import urllib.parse

DOCUMENT = b"""<!doctype html><html><head><title>Today</title><script>
window.call = m => webkit.messageHandlers.todayWebViewBridge.postMessage(m);
// For frames that cannot be looked into: the answers to all kinds of messages, told to the page around.
addEventListener("message", ({ data }) => data === "go" && Promise.all(["headers", "refreshToken", "establishSession", "track"].map(type =>
  call({ type, ename: "e" }).then(v => v === undefined ? "undefined" : JSON.stringify(v), String))).then(all => parent.postMessage(all, "*")));
</script></head><body></body></html>"""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    requests = []
    lock = threading.Lock()

    def do_GET(self):
        if self.path == "/__requests":
            with self.lock:
                return self.answer(json.dumps(self.requests).encode(), "application/json")
        length = int(self.headers.get("Content-Length") or 0)
        if length:
            self.rfile.read(length)
        with self.lock:
            self.requests.append({"method": self.command, "target": self.path, "cookies": self.headers.get_all("Cookie", [])})
        if self.headers.get("Upgrade") == "websocket":
            return self.switch()
        path, _, query = self.path.partition("?")
        set_cookies = [value for name, value in urllib.parse.parse_qsl(query) if name == "set"]
        if path.endswith(".js"):
            self.answer(b"export const loaded = true;", "text/javascript", set_cookies)
        elif path.endswith(".json") or "/api" in path and path != "/api/page":
            self.answer(b"{}", "application/json", set_cookies)
        else:
            self.answer(DOCUMENT, "text/html; charset=utf-8", set_cookies)

    do_POST = do_PUT = do_HEAD = do_GET

    def answer(self, body, content_type, set_cookies=()):
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for cookie in set_cookies:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def switch(self):
        """Accepts a WebSocket, sends a greeting and closes it."""
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.send_header("Set-Cookie", "embed_bearer=by-socket; Path=/api/; Secure; HttpOnly")
        self.end_headers()
        self.wfile.write(b"\x81\x05hello\x88\x02\x03\xe8")
        # Firefox tells of no message on a connection that ends before its own closing frame, which has 8 bytes.
        self.rfile.read(8)
        self.close_connection = True

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
