// Node's `ws` with the task of the bridge: reads the envelope, and answers with the same correlation id.
"use strict";

const { WebSocketServer } = require("ws");

const answer = { environment: "ios", hostVersion: "1.0.0", capabilities: { "camera.document": { supported: false, version: null } } };
const server = new WebSocketServer({ host: "127.0.0.1", port: Number(process.argv[2]), perMessageDeflate: false });
server.on("listening", () => console.log("node: ready"));
server.on("connection", (socket) => {
  socket.on("message", (text) => {
    const { correlationId, payload } = JSON.parse(text);
    socket.send(
      JSON.stringify({
        version: "1.0", correlationId, type: "response", timestamp: Date.now(),
        payload: { action: payload.action, status: "success", data: answer },
      }),
    );
  });
});
