// The developer's scripts, which bridges put into documents.

import { isOpaque, ownFolder, ownScript } from "./configuration.js";
import { frameKey } from "./frames.js";
import { trusted } from "./trusted.js";

/**
 * Loads the scripts of a bridge, in order. Each is loaded separately, so an error in one does not affect the others.
 * @param {{scripts: {path: string, at: "start" | "end" | "load"}[]}} bridge
 * @param {"start" | "end" | "load"} time
 */
export function loadScripts({ scripts }, time) {
  /** @type {HTMLScriptElement[]} */
  const elements = [];
  // The server lets a document without an origin load what has the key of its frame. A second question mark is part of the value before it.
  const query = isOpaque ? `?&frame=${frameKey}` : "";
  for (const { path, at } of scripts) {
    if (at !== time) continue;
    const element = document.createElement("script");
    element.src = trusted(ownFolder + path + query, "createScriptURL");
    if (ownScript?.nonce) element.setAttribute("nonce", ownScript.nonce);
    if (ownScript?.crossOrigin != null) element.crossOrigin = ownScript.crossOrigin;
    element.async = false;
    elements.push(element);
  }
  if (!elements.length) return;
  try {
    // A script written here runs before the document's own scripts, because the parser waits for it.
    if (time === "start" && document.currentScript === ownScript && document.readyState === "loading") {
      return document.write(trusted(elements.map(({ outerHTML }) => outerHTML).join("")));
    }
  } catch {
    // An XML document does not allow `document.write`.
  }
  for (const element of elements) (document.head ?? document.documentElement).append(element);
}
