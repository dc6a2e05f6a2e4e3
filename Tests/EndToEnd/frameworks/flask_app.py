"""A site on Flask: a session, and forms with a token of the session. `flask_app.py PORT [CERTIFICATE KEY]`"""

import secrets
import sys

from flask import Flask, abort, redirect, request, session, url_for
from markupsafe import escape

app = Flask(__name__)
app.secret_key = "x" * 50


@app.before_request
def check():
    session.setdefault("token", secrets.token_hex())
    origin = request.headers.get("Origin")
    # What Flask thinks of its own address must be what the browser thinks of it, for who compares the two.
    if request.method == "POST" and (request.form.get("token") != session["token"] or origin.split("//")[1] != request.host):
        abort(403)


@app.get("/")
def index():
    token = f'<input type="hidden" name="token" value="{session["token"]}">'
    notes = "".join(f"<li>{escape(note)}</li>" for note in session.get("notes", []))
    return f"""<!doctype html><title>Notes</title>{notes}
<form method="post" action="/note">{token}<input name="text"><button>Note</button></form>
<form method="post" action="/upload" enctype="multipart/form-data">{token}<input type="file" name="file"><button>Upload</button></form>"""


def add(text):
    session["notes"] = [*session.get("notes", []), text]
    return redirect(url_for("index", _external=True))


@app.post("/note")
def note():
    return add(request.form["text"])


@app.post("/upload")
def upload():
    file = request.files["file"]
    return add(f"{file.filename}: {len(file.read())} bytes")


if __name__ == "__main__":
    certificate = tuple(sys.argv[2:4]) or None
    app.run("127.0.0.1", int(sys.argv[1]), ssl_context=certificate, threaded=True)
