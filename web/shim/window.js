// Installs everything, once per document.

import { defineProperty, hasOwn, listen, startTimer, warn } from "./builtins.js";
import { ownScript } from "./configuration.js";
import { connect, tellOffline, tellTitle } from "./connection.js";
import { frameKey } from "./frames.js";
import { comeBack, leave } from "./goodbye.js";
import { whenPageListens } from "./listening.js";
import { hooks, sheetHost } from "./parts.js";
import { listenForSheets } from "./sheets.js";
import { observe } from "./watching.js";
import { installs } from "./webkit.js";

const hostKey = Symbol.for("footbridge");
// The document's own listeners run first.
const whenRead = () => startTimer(whenPageListens);
/** @param {PromiseRejectionEvent} event */
const noteRejection = (event) => observe("rejection", event);

sheetHost.listen = () => {
  listenForSheets();
  hooks.listen?.();
  listen(document, "DOMContentLoaded", whenRead);
  listen(window, "load", whenRead);
  listen(window, "unhandledrejection", noteRejection);
  listen(window, "rejectionhandled", noteRejection);
  // The shim's listener runs first, so that it sends before the page's own listeners do.
  listen(window, "pagehide", leave);
  listen(window, "pageshow", comeBack);
  listen(window, "online", connect);
  listen(window, "offline", tellOffline);
  listen(document, "visibilitychange", connect);
};

if (!hasOwn(document, hostKey)) {
  defineProperty(document, hostKey, { value: sheetHost });
  for (const install of installs) {
    try {
      install();
    } catch (error) {
      warn("Footbridge:", error);
    }
  }
  sheetHost.listen();
  // A document that is rewritten has another element.
  new MutationObserver(sheetHost.listen).observe(document, { childList: true });
  new MutationObserver(tellTitle).observe(document.head ?? document, { childList: true, subtree: true, characterData: true });
  // The page's first scripts run before the connection, unless they call the host. A timer without a delay would fire
  // before the browser gets to them.
  startTimer(connect, 10);
}

// Frameworks compare the document with what their server has rendered. An element of the page's own stays.
if (frameKey) ownScript?.remove();
