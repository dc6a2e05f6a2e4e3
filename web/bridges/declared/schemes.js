// Addresses with a scheme of an app that no bridge of the document answers. No browser loads them, and the linter tells.

import { apply, create, listen } from "../../shim/builtins.js";
import { observe } from "../../shim/watching.js";
import { installs } from "../../shim/webkit.js";
import { isInDocument } from "./shim.js";

/** The schemes that browsers load by themselves. */
const usual = /^(https?|wss?|data|blob|file|about|filesystem|[a-z-]+-extension)$/;

/**
 * The schemes that something in the document answers.
 * @type {Record<string, true>}
 */
export const answeredSchemes = create(null);

/**
 * @param {unknown} address - that the page loads
 * @param {string} loader - what loads it
 */
const note = (address, loader) => {
  const scheme = typeof address === "string" && /^\s*([a-z][a-z0-9+.-]*):\//i.exec(address)?.[1].toLowerCase();
  if (scheme && !usual.test(scheme) && !answeredSchemes[scheme]) observe("scheme", scheme, loader);
};

installs.push(() => {
  for (const bridge of configuration.declared ?? []) {
    if (isInDocument(bridge)) for (const scheme of bridge.schemes ?? []) answeredSchemes[scheme] = true;
  }
  const { fetch: load } = window;
  window.fetch = {
    /** @param {any[]} list */
    fetch(...list) {
      const [input] = list;
      note(typeof input === "string" ? input : input?.url ?? input?.href, "fetch");
      return apply(load, window, list);
    },
  }.fetch;
  const { prototype } = XMLHttpRequest;
  const { open } = prototype;
  prototype.open = /** @type {any} */ ({
    /** @param {any[]} list */
    open(...list) {
      note(list[1]?.href ?? list[1], "XMLHttpRequest");
      return apply(open, this, list);
    },
  }).open;
  listen(window, "error", (/** @type {any} */ { target }) => {
    if (target instanceof Element) note(/** @type {any} */ (target).src || /** @type {any} */ (target).href, target.localName);
  }, true);
});
