// Navigations that are messages and load nothing. Browsers report those of the document itself. For windows that it opens and
// frames that it makes, this script intercepts the places where they get their addresses.

import { apply, defineProperty, listen, NativeTypeError, pathOf } from "../../shim/builtins.js";
import { listenAlways } from "../../shim/relisten.js";
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
 * @returns whether it is one
 */
function takeAddress(address, frame) {
  let url = "";
  try {
    url = new URL(`${address}`, document.baseURI).href;
  } catch {}
  const taker = url && navigationTakers.find(({ pattern }) => url.search(pattern) >= 0);
  if (!taker) return false;
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
  /** @type {any} */ (window).navigation?.addEventListener("navigate", (/** @type {any} */ event) => {
    if (event.cancelable && takeAddress(event.destination.url, false)) event.preventDefault();
  });
  // A link to another window navigates there.
  const takeLink = (/** @type {MouseEvent} */ event) => {
    const link = pathOf(event).find((/** @type {any} */ element) => element instanceof HTMLAnchorElement && element.href);
    if (!event.defaultPrevented && link?.target && takeAddress(link.href, false)) event.preventDefault();
  };
  listenAlways(() => listen(window, "click", takeLink));
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
