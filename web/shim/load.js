import { listen, mapDelete, mapSet, NativeMap } from "./builtins.js";
import { ownFolder, ownScript } from "./configuration.js";
import { trusted } from "./trusted.js";

/**
 * The scripts that load. Their elements are in no document, so without this, WebKit may collect one with its listeners before it has loaded.
 * @type {Map<HTMLScriptElement, true>}
 */
const loading = new NativeMap();

/**
 * Loads another script of ours.
 * @param {string} name
 */
export function loadScript(name) {
  const script = document.createElement("script");
  script.src = trusted(ownFolder + name, "createScriptURL");
  script.nonce = ownScript?.nonce;
  // A page of another server loads both scripts in the same way, as its policy and ours require.
  script.crossOrigin = ownScript?.crossOrigin ?? null;
  (document.head ?? document.documentElement).append(script);
  script.remove();
  mapSet(loading, script, true);
  const ended = () => mapDelete(loading, script);
  listen(script, "load", ended);
  listen(script, "error", ended);
  return script;
}
