// Puts everything in place, once per document.

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
  // The document's own listeners come first.
  listen(document, "DOMContentLoaded", () => startTimer(whenPageListens));
  listen(window, "load", () => startTimer(whenPageListens));
  // The shim's listener comes first: what the page's own ones send goes after what is sent here.
  listen(window, "pagehide", leave);
  listen(window, "pageshow", comeBack);
  // The page's own first scripts come before the connection, unless they call native. A timer without a delay would
  // come before the browser has gone on to them.
  startTimer(() => {
    connect();
    listen(window, "online", connect);
    listen(window, "pageshow", connect);
    listen(document, "visibilitychange", connect);
  }, 10);
}
