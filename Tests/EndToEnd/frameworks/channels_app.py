"""A chat on Django Channels: consumers with the session of the page, in a group. `channels_app.py PORT`"""

import sys

import django
from channels.auth import AuthMiddlewareStack
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.http import HttpResponse
from django.urls import path

settings.configure(
    DEBUG=True, SECRET_KEY="x" * 50, ROOT_URLCONF=__name__, ALLOWED_HOSTS=["127.0.0.1", "localhost", "app.example.com"],
    ASGI_APPLICATION=f"{__name__}.application", INSTALLED_APPS=["daphne", "django.contrib.contenttypes", "django.contrib.auth"],
    CHANNEL_LAYERS={"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}},
    SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware"],
)
django.setup()

PAGE = """<!doctype html><html lang="en"><head><title>Chat</title></head><body>
<p>Visit %d</p><ul></ul><form><input name="text"><button>Say</button></form>
<script>
const socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/chat/`);
socket.onmessage = ({ data }) => {
  const line = document.createElement("li");
  line.textContent = JSON.parse(data).text;
  document.querySelector("ul").append(line);
};
document.forms[0].onsubmit = (event) => {
  event.preventDefault();
  socket.send(JSON.stringify({ text: document.forms[0].text.value }));
};
</script></body></html>"""


def index(request):
    request.session["visits"] = request.session.get("visits", 0) + 1
    return HttpResponse(PAGE % request.session["visits"])


class Chat(AsyncJsonWebsocketConsumer):
    async def connect(self):
        await self.channel_layer.group_add("chat", self.channel_name)
        await self.accept()
        await self.say({"text": "joined"})

    async def receive_json(self, content):
        await self.say(content)

    async def disconnect(self, code):
        await self.channel_layer.group_discard("chat", self.channel_name)

    async def say(self, content):
        text = f"{content['text']} (visit {self.scope['session'].get('visits')})"
        await self.channel_layer.group_send("chat", {"type": "chat.said", "text": text})

    async def chat_said(self, event):
        await self.send_json({"text": event["text"]})


urlpatterns = [path("", index)]
application = ProtocolTypeRouter({
    "http": get_asgi_application(),
    "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter([path("chat/", Chat.as_asgi())]))),
})

if __name__ == "__main__":
    from daphne.server import Server

    Server(application, [f"tcp:port={sys.argv[1]}:interface=127.0.0.1"], signal_handlers=True).run()
