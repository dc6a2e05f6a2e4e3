"""Receives the notifications of docs/notifications.md, checks their signatures, and prints each once. Needs PyJWT: pip install "pyjwt[crypto]"."""

import http.server
import json
import os

import jwt

FOOTBRIDGE = os.environ.get("FOOTBRIDGE_URL", "http://localhost:8080")
keys = jwt.PyJWKClient(f"{FOOTBRIDGE}/__footbridge/onside/.well-known/jwks.json")
seen = set()


def verified(signed):
    return jwt.decode(signed, keys.get_signing_key_from_jwt(signed).key, algorithms=["ES256"])


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            notification = verified(body["signedPayload"])
            signed = notification["data"].get("signedTransactionInfo")   # a TEST is about no order
            product = verified(signed)["productId"] if signed else ""
        except (KeyError, jwt.PyJWTError):
            return self.answer(400)
        if notification["notificationUUID"] not in seen:
            seen.add(notification["notificationUUID"])
            print(notification["notificationType"], notification.get("subtype", ""), product, flush=True)
        self.answer(200)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
