// A whole document that React renders on the server and hydrates in the browser. node react_app.js PORT
const { createServer } = require("http");
const { readFileSync } = require("fs");
const { createElement } = require("react");
const { renderToString } = require("react-dom/server");

const application = `
  const { createElement, useState } = React;
  function Site() {
    const [count, setCount] = useState(0);
    return createElement("html", { lang: "en" },
      createElement("head", null, createElement("meta", { charSet: "utf-8" }), createElement("title", null, "React")),
      createElement("body", null, createElement("button", { onClick: () => setCount(count + 1) }, "count: ", count)));
  }`;
const Site = new Function("React", `${application} return Site;`)(require("react"));

const browser = `${application}
  window.complaints = [];
  console.error = (...words) => complaints.push(words.join(" "));
  window.button = document.querySelector("button");
  window.before = [document.scripts.length, document.head.firstElementChild.localName];
  ReactDOM.hydrateRoot(document, createElement(Site), { onRecoverableError: (error) => complaints.push(String(error)) });`;

const files = {
  "/react.js": "/usr/share/nodejs/react/umd/react.development.js",
  "/react-dom.js": "/usr/share/nodejs/react-dom/umd/react-dom.development.js",
};

createServer(({ url }, response) => {
  if (files[url]) return response.setHeader("Content-Type", "text/javascript").end(readFileSync(files[url]));
  if (url === "/browser.js") return response.setHeader("Content-Type", "text/javascript").end(browser);
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  // As Next.js and Remix do: the scripts come by the bootstrap of the renderer, behind the document.
  const scripts = ["/react.js", "/react-dom.js", "/browser.js"].map((src) => `<script src="${src}"></script>`).join("");
  response.end(`<!DOCTYPE html>${renderToString(createElement(Site))}`.replace("</body></html>", `</body></html>${scripts}`));
}).listen(process.argv[2], "127.0.0.1");
