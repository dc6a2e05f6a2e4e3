// Installs everything, once per document.

import { defineProperty, hasOwn, listen, startTimer, warn } from "./builtins.js";
import { ownScript } from "./configuration.js";
import { connect } from "./connection.js";
import { frameKey } from "./frames.js";
import { comeBack, leave } from "./goodbye.js";
import { whenPageListens } from "./listening.js";
import { sheetHost } from "./parts.js";
import { observe } from "./watching.js";
import { installs } from "./webkit.js";

const documentKey = Symbol.for("footbridge");

if (!hasOwn(document, documentKey)) {
  defineProperty(document, documentKey, { value: sheetHost });
  for (const install of installs) {
    try {
      install();
    } catch (error) {
      warn("Footbridge:", error);
    }
  }
  sheetHost.listen();
  // The document's own listeners run first.
  listen(document, "DOMContentLoaded", () => startTimer(whenPageListens));
  listen(window, "load", () => startTimer(whenPageListens));
  listen(window, "unhandledrejection", (/** @type {PromiseRejectionEvent} */ { reason }) => observe("rejection", reason));
  // The shim's listener runs first, so that it sends before the page's own listeners do.
  listen(window, "pagehide", leave);
  listen(window, "pageshow", comeBack);
  // The page's first scripts run before the connection, unless they call the host. A timer without a delay would fire
  // before the browser gets to them.
  startTimer(() => {
    connect();
    listen(window, "online", connect);
    listen(window, "pageshow", connect);
    listen(document, "visibilitychange", connect);
  }, 10);
}

// Frameworks compare the document with what their server has rendered. An element of the page's own stays.
if (frameKey) ownScript?.remove();
