// Microsoft Teams, as in the app for phones: a page without a frame, and one object of native.
// Source: OfficeDev/microsoft-teams-library-js, packages/teams-js/src/internal/communication.ts (014a273)
// Plays: nativeInterface.framelessPostMessage; answers and events by onNativeMessage; the arguments of an answer as a list; `uuidAsString`
// Not played: the page in an iframe of Teams, partial answers, what native does for a function; initialize needs an answer, the third member of which is the runtime: JSON text with an apiVersion and what the host supports
// Ran: @microsoft/teams-js 2.32.0; 2.55.0, built from source

import { isArray, reportUncaught } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { callPath, ordinary, readText, reasons } from "../shim.js";

presets.teams = (native) => {
  const page = /** @type {any} */ (window);
  const tell = (/** @type {object} */ data) => native.call("onNativeMessage", { data });
  native.object("nativeInterface", {
    framelessPostMessage(/** @type {string} */ text) {
      const request = ordinary(readText(text));
      const { id, uuidAsString, func } = request;
      const answer = (/** @type {unknown[]} */ args) => tell({ id, ...uuidAsString && { uuidAsString }, args });
      native.send(func, request).then(
        (value) => value !== undefined && answer(isArray(value) ? value : [value]),
        (/** @type {Error} */ error) => answer([reasons.get(error) ?? error.message])).catch(reportUncaught);
    },
  });
  native.onCall((path, list) => {
    const func = path.join(".");
    return path.length > 1 || typeof page[func] === "function" ? callPath(path, list) : tell({ func, args: list });
  });
};
