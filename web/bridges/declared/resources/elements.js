// Elements that load resources of the app: images, scripts, styles, and media.

import { apply, defineProperty, hasOwn } from "../../../shim/builtins.js";
import { trusted } from "../../../shim/trusted.js";

/**
 * The attributes that load something, by the names of elements, and the interface that has each as a property.
 * @type {Record<string, Record<string, any>>}
 */
const loadingAttributes = {
  img: { src: HTMLImageElement, srcset: HTMLImageElement },
  script: { src: HTMLScriptElement },
  link: { href: HTMLLinkElement },
  audio: { src: HTMLMediaElement },
  video: { src: HTMLMediaElement, poster: HTMLVideoElement },
  source: { src: HTMLSourceElement, srcset: HTMLSourceElement },
  track: { src: HTMLTrackElement },
  input: { src: HTMLInputElement },
};

/**
 * Has elements load addresses with a scheme of the app.
 * @param {import("./addresses.js").Addresses} addresses
 */
export function takeElements({ served, shown }) {
  const { getAttribute, setAttribute } = Element.prototype;

  /** The attribute of an element by which it loads something; undefined for any other. */
  const attributeOf = (/** @type {Element} */ { localName }, /** @type {unknown} */ name) => {
    if (!hasOwn(loadingAttributes, localName)) return;
    const lower = `${name}`.toLowerCase();
    return hasOwn(loadingAttributes[localName], lower) ? lower : undefined;
  };

  /** Each address in a `srcset` stands at its beginning, or after white space. */
  const eachOf = (/** @type {string} */ set, /** @type {(text: string) => string} */ change) =>
    set.replace(/(^|[\s,])([a-z][a-z0-9+.-]*:\/\S*)/gi, (_, before, address) => before + change(address));

  /**
   * What an attribute gets in place of a value.
   * @param {Element} element
   * @param {string} name
   * @param {any} value
   */
  const servedValue = (element, name, value) => {
    if (name === "srcset") return eachOf(`${value}`, (text) => served(text) ?? text);
    const address = served(value);
    if (address === undefined) return value;
    return element.localName === "script" ? trusted(address, "createScriptURL") : address;
  };
  const shownValue = (/** @type {string} */ name, /** @type {any} */ value) =>
    typeof value !== "string" ? value : name === "srcset" ? eachOf(value, shown) : shown(value);

  const taken = new Set();
  for (const names of Object.values(loadingAttributes)) {
    for (const name of Object.keys(names)) {
      const { prototype } = names[name];
      if (taken.has(`${prototype.constructor.name}.${name}`)) continue;
      taken.add(`${prototype.constructor.name}.${name}`);
      const descriptor = /** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, name));
      const { get, set } = descriptor;
      defineProperty(prototype, name, {
        ...descriptor,
        get() { return shownValue(name, apply(get, this, [])); },
        set(value) { apply(set, this, [servedValue(this, name, value)]); },
      });
    }
  }
  for (const { prototype } of [HTMLImageElement, HTMLMediaElement]) {
    const descriptor = /** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, "currentSrc"));
    const { get } = descriptor;
    defineProperty(prototype, "currentSrc", { ...descriptor, get() { return shown(apply(get, this, [])); } });
  }
  Element.prototype.getAttribute = /** @type {any} */ ({
    getAttribute(/** @type {any[]} */ ...list) {
      const value = apply(getAttribute, this, list);
      const name = value === null ? undefined : attributeOf(this, list[0]);
      return name ? shownValue(name, value) : value;
    },
  }).getAttribute;
  Element.prototype.setAttribute = /** @type {any} */ ({
    setAttribute(/** @type {any[]} */ ...list) {
      const name = attributeOf(this, list[0]);
      if (name && list.length > 1) list[1] = servedValue(this, name, list[1]);
      return apply(setAttribute, this, list);
    },
  }).setAttribute;
  window.Audio = new Proxy(Audio, {
    construct(target, list, newTarget) {
      if (list.length) list[0] = served(list[0]) ?? list[0];
      return Reflect.construct(target, list, newTarget);
    },
  });

  /**
   * Loads what the parser has found in an element. The browser could not.
   * @param {Element} element
   */
  const mend = (element) => {
    for (const name of Object.keys(hasOwn(loadingAttributes, element.localName) ? loadingAttributes[element.localName] : {})) {
      const value = apply(getAttribute, element, [name]);
      const address = value === null ? value : servedValue(element, name, value);
      if (address === value) continue;
      if (element instanceof HTMLScriptElement) replace(element, address);
      else apply(setAttribute, element, [name, address]);
    }
  };

  /**
   * A script runs once, even if the browser could not load it, so another one takes its place.
   * @param {HTMLScriptElement} script
   * @param {any} address
   */
  const replace = (script, address) => {
    // Scripts in HTML that a script sets do not run.
    if (document.readyState !== "loading") return;
    const copy = document.createElement("script");
    for (const { name, value } of Array.from(script.attributes)) apply(setAttribute, copy, [name, name === "src" ? address : value]);
    copy.nonce = script.nonce;
    if (!script.hasAttribute("async")) copy.async = false;
    script.onerror = null;
    script.addEventListener("error", (event) => event.stopImmediatePropagation());
    script.replaceWith(copy);
  };

  new MutationObserver((records) => {
    for (const { target, addedNodes, type } of records) {
      if (type === "attributes") mend(/** @type {Element} */ (target));
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        mend(node);
        node.querySelectorAll("[src], [srcset], [href], [poster]").forEach(mend);
      }
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["src", "srcset", "href", "poster"] });
}
