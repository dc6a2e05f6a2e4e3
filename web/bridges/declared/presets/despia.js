// Despia, version 3: commands that the page assigns to window.despia, answered by variables of the page.
// Source: despia-native/despia-native, index.js (9aa12c1); its README
// Plays: the assignment of a command, from a queue of the SDK; answers as variables, which the SDK watches
// Not played: what each command does; the runtime of version 4, which has its own packages
// Ran: despia-native 1.0.28

import { keys, reportUncaught } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { inTurn } from "../guarded.js";

presets.despia = (native) => {
  /** The SDK, where a page loads it as a global script. */
  /** @type {unknown} */
  let sdk;
  Object.defineProperty(window, "despia", {
    get: () => sdk,
    set(/** @type {unknown} */ command) {
      if (typeof command === "function") return void (sdk = command);
      const [, scheme, path = "", query = ""] = /^([^:]*)(?::\/\/([^?]*)\??(.*))?$/s.exec(`${command}`) ?? ["", `${command}`];
      const name = [scheme, ...path.split("/")].filter(Boolean).join(".");
      native.send(name, { command: `${command}`, ...Object.fromEntries(new URLSearchParams(query)) }).then((value) => {
        if (typeof value !== "object" || !value) return;
        inTurn(() => {
          for (const variable of keys(value)) /** @type {any} */ (window)[variable] = value[variable];
        });
      }).catch(reportUncaught);
    },
    configurable: true, enumerable: true,
  });
};
