import { ownFolder, ownScript } from "./configuration.js";
import { trusted } from "./trusted.js";

/**
 * The elements of the scripts that `loadScript` has loaded. They are in no document, so WebKit may otherwise collect one with its listeners
 * before it has loaded.
 * @type {HTMLScriptElement[]}
 */
const loadedScripts = [];

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
  return loadedScripts[loadedScripts.length] = script;
}
