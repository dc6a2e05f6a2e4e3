"""A site on Django with the settings of a new project: a form with its token, a session and an upload. `django_app.py PORT`"""

import sys

from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.urls import path
from django.utils.html import escape

settings.configure(
    DEBUG=True, SECRET_KEY="x" * 50, ROOT_URLCONF=__name__, ALLOWED_HOSTS=["127.0.0.1", "localhost", "app.example.com"],
    SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware", "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
)


def index(request):
    token = f'<input type="hidden" name="csrfmiddlewaretoken" value="{get_token(request)}">'
    notes = "".join(f"<li>{escape(note)}</li>" for note in request.session.get("notes", []))
    return HttpResponse(f"""<!doctype html><title>Notes</title>{notes}
<form method="post" action="/note">{token}<input name="text"><button>Note</button></form>
<form method="post" action="/upload" enctype="multipart/form-data">{token}<input type="file" name="file"><button>Upload</button></form>""")


def add(request, text):
    request.session["notes"] = [*request.session.get("notes", []), text]
    return redirect(request.build_absolute_uri("/"))


urlpatterns = [
    path("", index),
    path("note", lambda request: add(request, request.POST["text"])),
    path("upload", lambda request: add(request, f"{request.FILES['file'].name}: {request.FILES['file'].size} bytes")),
]

if __name__ == "__main__":
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", f"127.0.0.1:{sys.argv[1]}"])
