"""A site on uvicorn: a page with server-sent events, and a WebSocket. `python -m uvicorn asgi_upstream:app`"""

import asyncio

PAGE = b"""<!doctype html><title>Events</title><script>
window.seen = [];
const events = new EventSource("/events");
events.addEventListener("tick", ({ data, lastEventId }) => seen.push(`${lastEventId}: ${data}`));
</script>"""

resume = asyncio.Event()


async def respond(send, status, content_type, body):
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", content_type)]})
    await send({"type": "http.response.body", "body": body})


async def stream_events(scope, send):
    """Sends two events, the second on request, and ends: the browser then reconnects and says what it has received."""
    last = int(dict(scope["headers"]).get(b"last-event-id", b"0"))
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
    for number in (last + 1, last + 2):
        event = f"retry: 10\nid: {number}\nevent: tick\ndata: number {number}\n\n"
        await send({"type": "http.response.body", "body": event.encode(), "more_body": True})
        await resume.wait()
        resume.clear()
    await send({"type": "http.response.body", "body": b""})


async def echo_socket(receive, send):
    await receive()
    await send({"type": "websocket.accept", "subprotocol": "two"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", **{key: value for key, value in message.items() if key in ("text", "bytes") and value is not None}})


async def app(scope, receive, send):
    if scope["type"] == "websocket":
        return await echo_socket(receive, send)
    if scope["type"] != "http":
        return
    if scope["path"] == "/":
        await respond(send, 200, b"text/html; charset=utf-8", PAGE)
    elif scope["path"] == "/events":
        await stream_events(scope, send)
    elif scope["path"] == "/go-on":
        resume.set()
        await respond(send, 200, b"text/plain", b"")
    elif scope["path"] == "/scope":
        # Behind a trusted proxy uvicorn takes scheme and client from X-Forwarded-*.
        await respond(send, 200, b"text/plain", f"{scope['scheme']} {scope['client'][0]}".encode())
    else:
        await respond(send, 404, b"text/plain", b"nothing")
