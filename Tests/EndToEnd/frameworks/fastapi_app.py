"""A site on FastAPI: a form, an upload, a streamed answer, a socket, and its page of documentation. `fastapi_app.py PORT`"""

import asyncio
import sys
from typing import Annotated

import uvicorn
from fastapi import FastAPI, Form, Request, UploadFile, WebSocket
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse
from fastapi_swagger import patch_fastapi
from starlette.middleware.sessions import SessionMiddleware

app = FastAPI(title="Notes", docs_url=None, swagger_ui_oauth2_redirect_url=None)
# FastAPI's own page loads Swagger UI from a CDN.
patch_fastapi(app, docs_url="/docs", redirect_from_root_to_docs=False)
app.add_middleware(SessionMiddleware, secret_key="x" * 50)
steps = asyncio.Semaphore(0)

PAGE = """<!doctype html><html lang="en"><head><title>Notes</title></head><body><ul>%s</ul>
<form method="post" action="/note"><input name="text"><button>Note</button></form>
<form method="post" action="/upload" enctype="multipart/form-data"><input type="file" name="file"><button>Upload</button></form>
</body></html>"""


@app.get("/", include_in_schema=False)
def index(request: Request):
    return HTMLResponse(PAGE % "".join(f"<li>{note}</li>" for note in request.session.get("notes", [])))


def add(request, text):
    request.session["notes"] = [*request.session.get("notes", []), text]
    return RedirectResponse(request.url_for("index"), 303)


@app.post("/note")
def note(request: Request, text: Annotated[str, Form()]):
    return add(request, text)


@app.post("/upload")
def upload(request: Request, file: UploadFile):
    return add(request, f"{file.filename}: {file.size} bytes")


@app.get("/square/{number}")
def square(number: int) -> dict[str, int]:
    """Squares a number."""
    return {"square": number * number}


@app.get("/stream")
def stream():
    async def lines():
        for number in range(3):
            yield f"line {number}\n"
            # The reader asks for the next line.
            await steps.acquire()

    return StreamingResponse(lines(), media_type="text/plain")


@app.post("/next")
async def next_line():
    steps.release()


@app.websocket("/socket")
async def socket(connection: WebSocket):
    await connection.accept()
    connection_origin = connection.headers["origin"]
    async for text in connection.iter_text():
        await connection.send_text(f"{text} from {connection_origin}")


if __name__ == "__main__":
    uvicorn.run(app, port=int(sys.argv[1]), log_level="error", proxy_headers=True, timeout_graceful_shutdown=0)
