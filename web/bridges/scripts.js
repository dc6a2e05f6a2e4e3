// Scripts of a developer's own, which bridges put into documents.

/**
 * Has the document load scripts of a bridge, in order, each by itself: a mistake in one takes nothing else along.
 * @param {{scripts: {path: string, at: "start" | "end" | "load"}[]}} bridge
 * @param {"start" | "end" | "load"} time
 */
function loadScripts({ scripts }, time) {
  /** @type {HTMLScriptElement[]} */
  const elements = [];
  for (const { path, at } of scripts) {
    if (at !== time) continue;
    const element = document.createElement("script");
    element.src = trusted(ownFolder + path, "createScriptURL");
    if (ownScript?.nonce) element.setAttribute("nonce", ownScript.nonce);
    if (ownScript?.crossOrigin != null) element.crossOrigin = ownScript.crossOrigin;
    element.async = false;
    elements.push(element);
  }
  if (!elements.length) return;
  try {
    // What is written here runs before the document's own scripts. Only a script that the parser waits for can do that.
    if (time === "start" && document.currentScript === ownScript && document.readyState === "loading") {
      return document.write(trusted(elements.map(({ outerHTML }) => outerHTML).join("")));
    }
  } catch {
    // A document of XML takes no text.
  }
  for (const element of elements) (document.head ?? document.documentElement).append(element);
}
