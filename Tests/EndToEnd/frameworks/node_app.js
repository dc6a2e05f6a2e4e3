// A site on Express, without its own body parser: a session by cookie, forms with a token, and a check of Origin against Host as Next.js has it.
// node node_app.js PORT [CERTIFICATE KEY]
const { createServer } = require("http");
const { createServer: createSecureServer } = require("https");
const { randomBytes } = require("crypto");
const { readFileSync } = require("fs");
const express = require("express");

const app = express();
const sessions = new Map();

app.use((request, response, next) => {
  const id = /session=(\w+)/.exec(request.headers.cookie ?? "")?.[1] ?? randomBytes(8).toString("hex");
  if (!sessions.has(id)) sessions.set(id, { token: randomBytes(8).toString("hex"), notes: [] });
  request.session = sessions.get(id);
  response.setHeader("Set-Cookie", `session=${id}; HttpOnly; SameSite=Lax`);
  next();
});

app.get("/", ({ session: { token, notes } }, response) => {
  const field = `<input type="hidden" name="token" value="${token}">`;
  response.send(`<!doctype html><title>Notes</title>${notes.map((note) => `<li>${note.replace(/</g, "&lt;")}</li>`).join("")}
<form method="post" action="/note">${field}<input name="text"><button>Note</button></form>
<form method="post" action="/upload" enctype="multipart/form-data">${field}<input type="file" name="file"><button>Upload</button></form>`);
});

app.post(["/note", "/upload"], async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts).toString("latin1");
  const { origin, host } = request.headers;
  const isForged = new URL(origin).host !== (request.headers["x-forwarded-host"] ?? host) || !body.includes(request.session.token);
  if (isForged) return response.status(403).send("forged");
  const file = /filename="(.*?)"[^]*?\r\n\r\n([^]*?)\r\n--/.exec(body);
  request.session.notes.push(file ? `${file[1]}: ${file[2].length} bytes` : new URLSearchParams(body).get("text"));
  response.redirect(303, `${request.protocol}://${host}/`);
});

const [port, certificate, key] = process.argv.slice(2);
const server = certificate ? createSecureServer({ cert: readFileSync(certificate), key: readFileSync(key) }, app) : createServer(app);
server.listen(port, "127.0.0.1");
