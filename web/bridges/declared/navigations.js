// Navigations that are messages and load nothing. Chromium reports those of the document itself; in other browsers, links and forms are
// watched. For windows that the document opens and frames that it makes, this script intercepts the places where they get their addresses.

import { apply, defineProperty, NativeTypeError, warn } from "../../shim/builtins.js";
import { reportsNavigations, watchDepartures } from "../../shim/departures.js";
import { later } from "./guarded.js";

/** @type {{pattern: RegExp, take: (navigation: {url: string, frame: boolean}) => void}[]} */
const navigationTakers = [];

/** What frames have been given as an address and is a message, by the frames. */
const frameMessages = new WeakMap();
/** Frames with such an address that are in no document yet: an address is gone to when a frame is inserted. */
const outsideFrames = new WeakSet();

/**
 * Handles an address as a message, if it is one.
 * @param {unknown} address - as browsers write it: a host is followed by a slash
 * @param {boolean} frame
 * @param {import("../../shim/departures.js").SentForm} [form]
 * @returns whether it is one
 */
function takeAddress(address, frame, form) {
  let url = "";
  try {
    url = new URL(`${address}`, document.baseURI).href;
  } catch {}
  const taker = url && navigationTakers.find(({ pattern }) => url.search(pattern) >= 0);
  if (!taker) return false;
  if (form && !form.isPost) url = url.replace(/(\?[^#]*)?(?=#|$)/, `?${new URLSearchParams(/** @type {any} */ (form.data()))}`);
  takeInserted(insertions.takeRecords());
  later(() => taker.take({ url, frame }));
  return true;
}

/**
 * @param {HTMLIFrameElement} frame
 * @param {unknown} address
 * @returns whether the address is a message, now or when the frame is inserted
 */
function takeFrameAddress(frame, address) {
  outsideFrames.delete(frame);
  frameMessages.delete(frame);
  let isMessage = false;
  if (frame.isConnected) isMessage = takeAddress(address, true);
  else {
    try {
      const { href } = new URL(`${address}`, document.baseURI);
      isMessage = navigationTakers.some(({ pattern }) => href.search(pattern) >= 0);
    } catch {}
    if (isMessage) outsideFrames.add(frame);
  }
  if (isMessage) frameMessages.set(frame, `${address}`);
  return isMessage;
}

/** @param {MutationRecord[]} records */
function takeInserted(records) {
  for (const { addedNodes } of records) {
    for (const node of addedNodes) {
      if (!(node instanceof Element)) continue;
      const frames = node instanceof HTMLIFrameElement ? [node] : node.querySelectorAll("iframe");
      for (const frame of frames) {
        if (outsideFrames.delete(frame)) takeAddress(frameMessages.get(frame), true);
        else if (frame.hasAttribute("src") && takeAddress(frame.getAttribute("src"), true)) frame.removeAttribute("src");
      }
    }
  }
}

const insertions = new MutationObserver(takeInserted);

/** Catches navigations, from the first pattern on. */
function watchNavigations() {
  if (reportsNavigations) {
    /** @type {any} */ (window).navigation.addEventListener("navigate", (/** @type {any} */ event) => {
      if (event.cancelable && takeAddress(event.destination.url, false)) event.preventDefault();
    });
  } else {
    warn("Footbridge: this browser does not tell when a page sets location. If the address is a message for native, the page is lost. "
      + "Links, forms, frames and window.open work; Chromium tells all.");
  }
  watchDepartures((address, form) => takeAddress(address, false, form));
  const { open } = window;
  defineProperty(window, "open", { configurable: true, enumerable: true, writable: true, value: { open() {
    if (arguments.length && arguments[0] !== "" && takeAddress(arguments[0], false)) return null;
    return apply(open, window, arguments);
  } }.open });
  const { prototype } = HTMLIFrameElement;
  const source = /** @type {Required<PropertyDescriptor>} */ (Object.getOwnPropertyDescriptor(prototype, "src"));
  const { setAttribute } = prototype;
  Object.defineProperties(prototype, Object.getOwnPropertyDescriptors({
    get src() {
      const address = frameMessages.get(this);
      return address === undefined ? apply(source.get, this, []) : new URL(address, document.baseURI).href;
    },
    set src(address) {
      if (!takeFrameAddress(/** @type {any} */ (this), address)) apply(source.set, this, [address]);
    },
    /**
     * @param {string} name
     * @param {string} value
     */
    setAttribute(name, value) {
      if (!/^src$/i.test(name) || !takeFrameAddress(/** @type {any} */ (this), value)) apply(setAttribute, this, arguments);
    },
  }));
  insertions.observe(document, { childList: true, subtree: true });
}

/**
 * Takes navigations to matching addresses as messages.
 * @param {RegExp} pattern - of addresses as browsers write them
 * @param {(navigation: {url: string, frame: boolean}) => void} take
 */
export function takeNavigations(pattern, take) {
  if (!(pattern instanceof RegExp)) throw new NativeTypeError("native.navigation wants a regular expression of addresses");
  if (!navigationTakers.length) watchNavigations();
  navigationTakers.push({ pattern, take });
}
