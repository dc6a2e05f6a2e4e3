"""A page on NiceGUI: the server hears the events of its elements over Socket.IO. `nicegui_app.py PORT`"""

import sys

from nicegui import app, ui


@ui.page("/")
def index():
    app.storage.browser.setdefault("known", True)
    seen = {"count": 0}

    def count():
        seen["count"] += 1
        label.set_text(f"{name.value or 'nobody'}: {seen['count']}")

    name = ui.input("Name")
    ui.button("Count", on_click=count)
    label = ui.label("nobody: 0")


ui.run(host="127.0.0.1", port=int(sys.argv[1]), reload=False, show=False, title="Counter", storage_secret="x" * 50)
