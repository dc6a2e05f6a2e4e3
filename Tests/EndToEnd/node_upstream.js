// A site on Node's own HTTP server. Usage: node node_upstream.js PORT
"use strict";
const http = require("node:http");

/** The requests that wait for a message: long polls, and streams between two messages. */
const waiting = [];

/** One message of gRPC-web: a flag, a length, the bytes. The flag 0x80 marks trailers. */
function frame(flag, text) {
  const body = Buffer.from(text);
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

const routes = {
  "/"(request, response) {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.write("<!doctype html><title>Node");
    response.end("</title><p>in pieces");
  },
  "/echo"(request, response) {
    response.setHeader("X-Method", request.method);
    response.setHeader("X-Protocol", request.headers["x-forwarded-proto"] ?? "");
    response.setHeader("Trailer", "X-Trailers");
    request.on("end", () => response.addTrailers({ "X-Trailers": JSON.stringify(request.trailers) }));
    request.pipe(response);
  },
  "/hints"(request, response) {
    response.writeProcessing();
    response.writeEarlyHints({ link: ["</a.css>; rel=preload; as=style", "</b.js>; rel=preload; as=script"] });
    response.setHeader("Content-Type", "text/html");
    response.end("<title>hints</title>");
  },
  "/trailers"(request, response) {
    response.setHeader("Trailer", "X-Sum, X-Late");
    response.write("abc");
    response.addTrailers({ "X-Sum": "3", "X-Late": "yes" });
    response.end();
  },
  "/until-the-end"(request, response) {
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
    response.removeHeader("Content-Length");
    response.write("no ");
    response.end("length");
  },
  "/cut"(request, response) {
    response.setHeader("Content-Length", "100");
    response.write("half");
    waiting.push(() => request.socket.destroy());
  },
  "/cut-chunks"(request, response) {
    response.write("half");
    waiting.push(() => request.socket.destroy());
  },
  "/cut-head"(request) {
    request.socket.destroy();
  },
  "/empty-204"(request, response) {
    response.statusCode = 204;
    response.end();
  },
  "/poll"(request, response) {
    waiting.push((text) => response.end(text));
  },
  "/tell"(request, response) {
    for (const tell of waiting.splice(0)) tell(new URL(request.url, "http://a").searchParams.get("text"));
    response.end();
  },
  async "/grpc"(request, response) {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const message = Buffer.concat(pieces).subarray(5).toString();
    response.writeHead(200, { "Content-Type": "application/grpc-web+proto", "X-Request-Type": request.headers["content-type"] });
    for (let number = 1; number <= 3; number++) {
      response.write(frame(0, `${message} ${number}`));
      if (number < 3) await new Promise((resolve) => waiting.push(resolve));
    }
    response.end(frame(0x80, "grpc-status: 0\r\n"));
  },
};

const server = http.createServer((request, response) => {
  const route = routes[request.url.split("?")[0]];
  if (route) return route(request, response);
  response.statusCode = 404;
  response.end("nothing");
});

server.on("checkContinue", (request, response) => {
  if (request.headers["x-size"] === "too much") {
    response.statusCode = 413;
    return response.end("too much");
  }
  response.writeContinue();
  routes["/echo"](request, response);
});

server.on("upgrade", (request, socket, head) => {
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${request.headers.upgrade}\r\nConnection: Upgrade\r\n\r\n`);
  socket.write(head);
  socket.pipe(socket);
});

server.listen(Number(process.argv[2]), "127.0.0.1");
