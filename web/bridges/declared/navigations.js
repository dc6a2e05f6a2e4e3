// Navigations that are messages and load nothing. Chromium reports those of a document, if it is not the first, empty one of a frame; in
// other browsers, links and forms are watched. For all others, this script and `windows.js` intercept the places where frames and windows
// get their addresses.

import { apply, defineProperty, getPrototypeOf, hasOwn, listen, NativeTypeError, startTimer, warn } from "../../shim/builtins.js";
import { isTopFrame } from "../../shim/configuration.js";
import { reportsNavigations, watchDepartures } from "../../shim/departures.js";
import { hooks, listeners, sheetHost } from "../../shim/parts.js";
import { listenAlways } from "../../shim/relisten.js";
import { installs } from "../../shim/webkit.js";
import { later } from "./guarded.js";
import { isForOther } from "./windows.js";

/**
 * A navigation, as native is asked about it.
 * @typedef {object} NativeNavigation
 * @property {string} url
 * @property {boolean} frame - whether it is in a frame
 * @property {boolean} newWindow - whether it is for a window that is not there
 * @property {boolean} isRedirect - whether the site has answered with it
 */

/** @type {{pattern: RegExp, take: (navigation: NativeNavigation) => void}[]} */
const navigationTakers = [];

/** What frames have been given as an address and is a message, by the frames. */
const frameMessages = new WeakMap();
/** Frames with such an address that are in no document yet: an address is gone to when a frame is inserted. */
const outsideFrames = new WeakSet();

/** @param {unknown} address */
function takerOf(address) {
  let url = "";
  try {
    url = new URL(`${address}`, document.baseURI).href;
  } catch {}
  const taker = url && navigationTakers.find(({ pattern }) => url.search(pattern) >= 0);
  return taker && { taker, url };
}

/**
 * Handles an address as a message, if it is one.
 * @param {unknown} address - as browsers write it: a host is followed by a slash
 * @param {Partial<NativeNavigation>} kind
 * @param {() => unknown} [isReplaced] - whether another navigation has taken its place meanwhile
 * @returns whether it is one
 */
function takeAddress(address, kind, isReplaced) {
  const found = takerOf(address);
  if (!found) return false;
  takeInserted(insertions.takeRecords());
  const navigation = { url: found.url, frame: !isTopFrame, newWindow: false, isRedirect: false, ...kind };
  later(() => isReplaced?.() || found.taker.take(navigation));
  return true;
}

// The navigations of documents.

/**
 * The navigations by scripts and forms that have not begun yet, by their windows.
 * @type {WeakMap<object, {isReplaced?: boolean}>}
 */
const scheduled = new WeakMap();
/** The objects of windows that report navigations, if they are watched. */
const watched = new WeakSet();
/** Whether the document has begun to load another one: a redirect can be about this. */
let isLeaving = false;

/** @param {any} owner - a window of this origin */
const hostOf = (owner) => owner.document[Symbol.for("footbridge")];

/**
 * Schedules a navigation of a window. It takes the place of the one before in the same task.
 * @param {object} owner
 */
function schedule(owner) {
  const former = scheduled.get(owner);
  if (former) former.isReplaced = true;
  const entry = /** @type {{isReplaced?: boolean}} */ ({});
  scheduled.set(owner, entry);
  startTimer(() => scheduled.get(owner) === entry && scheduled.delete(owner));
  return entry;
}

/**
 * Watches the navigations of a window. As in WebKit, a script or a form only schedules one. A link navigates at once.
 * @param {any} owner
 */
function watchWindow(owner) {
  const { navigation } = owner;
  if (!reportsNavigations || watched.has(navigation)) return;
  watched.add(navigation);
  navigation.addEventListener("navigate", (/** @type {any} */ event) => {
    // A frame with adapters of its own takes its navigations itself.
    if (event.defaultPrevented || owner !== window && hostOf(owner)?.takesNavigations) return;
    const { cancelable, destination: { sameDocument, url }, sourceElement } = event;
    const entry = sameDocument || /^a(rea)?$/.test(sourceElement?.localName) ? undefined : schedule(owner);
    if (cancelable && takeAddress(url, { frame: owner !== owner.top }, () => entry?.isReplaced)) event.preventDefault();
    else if (owner === window && !sameDocument) isLeaving = true;
  });
}

/**
 * Handles the address of a link or a form of the document.
 * @param {string} address
 * @param {import("../../shim/departures.js").SentForm} [form]
 */
function takeDeparture(address, form) {
  const found = takerOf(address);
  // A script submits a form without an event, so `windows.js` is asked only afterwards.
  if (!found || form && isForOther(form.form, form.button)) return false;
  const url = new URL(found.url);
  if (form && !form.isPost) {
    const fields = new URLSearchParams(/** @type {any} */ (form.data()));
    url.search = `${fields}`;
  }
  return takeAddress(url, {});
}

/**
 * Watches the navigations of a frame that has no shim with adapters.
 * @param {any} inner - its window
 */
function watchFrame(inner) {
  try {
    watchWindow(inner);
  } catch {
    // It has another origin.
  }
}

/**
 * The windows of frames that have no document yet, as the page gets them.
 * @type {WeakMap<object, any>}
 */
const emptyWindows = new WeakMap();

/**
 * @param {any} value
 * @param {any} owner
 */
const usable = (value, owner) => typeof value === "function" && !hasOwn(value, "prototype") ? value.bind(owner) : value;

/**
 * The window of a frame that has no document yet. Browsers report no navigations of its first, empty one, so its `location` is another object.
 * @param {any} inner - its window
 */
function emptyWindow(inner) {
  const known = emptyWindows.get(inner);
  if (known) return known;
  const go = (/** @type {unknown} */ address, /** @type {() => unknown} */ otherwise) => {
    const entry = schedule(inner);
    if (!takeAddress(address, { frame: true }, () => entry.isReplaced)) otherwise();
  };
  const place = new Proxy({}, {
    get: (_, name) => name === "assign" || name === "replace"
      ? (/** @type {unknown} */ address) => go(address, () => inner.location[name](address)) : usable(inner.location[name], inner.location),
    set(_, name, value) {
      const set = () => inner.location[name] = value;
      name === "href" ? go(value, set) : set();
      return true;
    },
    has: (_, name) => name in inner.location,
    getPrototypeOf: () => getPrototypeOf(inner.location),
  });
  const made = new Proxy(inner, {
    get: (_, name) => name === "location" ? place : usable(inner[name], inner),
    set(_, name, value) {
      const set = () => inner[name] = value;
      name === "location" ? go(value, set) : set();
      return true;
    },
  });
  emptyWindows.set(inner, made);
  return made;
}

/**
 * @param {HTMLIFrameElement} frame
 * @param {any} inner - its window
 */
function isEmpty(frame, inner) {
  try {
    return inner.location.href === "about:blank" && !inner.navigation?.currentEntry && !frame.hasAttribute("srcdoc")
      && (frame.getAttribute("src") ?? "about:blank") === "about:blank";
  } catch {
    return false;
  }
}

// Addresses of frames.

/**
 * The elements that load an address into a frame, and the attributes that have it.
 * @type {[typeof HTMLElement, string][]}
 */
const frameSources = [
  [HTMLIFrameElement, "src"], [HTMLFrameElement, "src"], [HTMLEmbedElement, "src"], [HTMLObjectElement, "data"],
];

/**
 * @param {Element} frame
 * @param {unknown} address
 * @returns whether the address is a message, now or when the frame is inserted
 */
function takeFrameAddress(frame, address) {
  outsideFrames.delete(frame);
  frameMessages.delete(frame);
  const isMessage = frame.isConnected ? takeAddress(address, { frame: true }) : !!takerOf(address);
  if (isMessage) {
    if (!frame.isConnected) outsideFrames.add(frame);
    frameMessages.set(frame, `${address}`);
  }
  return isMessage;
}

/** @param {MutationRecord[]} records */
function takeInserted(records) {
  for (const { addedNodes } of records) {
    for (const node of addedNodes) {
      if (!(node instanceof Element)) continue;
      const frames = node.matches("iframe, frame, embed, object") ? [node] : node.querySelectorAll("iframe, frame, embed, object");
      for (const frame of frames) {
        const name = frame.localName === "object" ? "data" : "src";
        if (outsideFrames.delete(frame)) takeAddress(frameMessages.get(frame), { frame: true });
        else if (frame.hasAttribute(name) && takeAddress(frame.getAttribute(name), { frame: true })) frame.removeAttribute(name);
      }
    }
  }
}

const insertions = new MutationObserver(takeInserted);

function interceptFrames() {
  for (const [{ prototype }, source] of frameSources) {
    const { get, set } = /** @type {Required<PropertyDescriptor>} */ (Object.getOwnPropertyDescriptor(prototype, source));
    const { setAttribute } = prototype;
    Object.defineProperties(prototype, Object.getOwnPropertyDescriptors({
      get [source]() {
        const address = frameMessages.get(this);
        return address === undefined ? apply(get, this, []) : new URL(address, document.baseURI).href;
      },
      set [source](/** @type {string} */ address) {
        if (!takeFrameAddress(/** @type {any} */ (this), address)) apply(set, this, [address]);
      },
      /**
       * @param {string} name
       * @param {string} value
       */
      setAttribute(name, value) {
        if (`${name}`.toLowerCase() !== source || !takeFrameAddress(/** @type {any} */ (this), value)) apply(setAttribute, this, arguments);
      },
    }));
  }
  const { prototype } = HTMLIFrameElement;
  const { get, ...content } = /** @type {Required<PropertyDescriptor>} */ (Object.getOwnPropertyDescriptor(prototype, "contentWindow"));
  const contentOf = (/** @type {HTMLIFrameElement} */ frame) => apply(get, frame, []);
  defineProperty(prototype, "contentWindow", { ...content, ...Object.getOwnPropertyDescriptor({ get contentWindow() {
    const inner = contentOf(/** @type {any} */ (this));
    return inner && isEmpty(/** @type {any} */ (this), inner) ? emptyWindow(inner) : inner;
  } }, "contentWindow") });
  // A frame that has loaded a document has another window than before.
  const loaded = (/** @type {Event} */ { target }) => {
    if (target instanceof HTMLIFrameElement) watchFrame(contentOf(target));
  };
  listenAlways(() => listen(document, "load", loaded, true));
  insertions.observe(document, { childList: true, subtree: true });
}

// Redirects.

/**
 * Handles what the site has redirected a navigation to: an address for native, with which the document stays.
 * @param {{url: string, frame?: boolean, isOnly: boolean}} redirect - without `frame`, the browser has not said whether it is of a frame. With
 *   `isOnly`, it cannot be about another tab.
 */
listeners["footbridge.redirected"] = ({ url, frame, isOnly }) => {
  if (!isLeaving && !isOnly) return;
  const isOfFrame = frame ?? !isLeaving;
  if (!isOfFrame) isLeaving = false;
  if (takeAddress(url, { frame: isOfFrame, isRedirect: true })) return;
  warn(`Footbridge: the site redirects to ${url.replace(/[?#].*/, "")}, and no adapter takes this address. The document stays.`);
};

// Takes navigations to addresses, as browsers write them, as messages.
hooks.takeNavigations = (pattern, take) => {
  if (!(pattern instanceof RegExp)) throw new NativeTypeError("native.navigation wants a regular expression of addresses");
  if (!navigationTakers.length) {
    sheetHost.takesNavigations = true;
    sheetHost.watchFrame = watchFrame;
    hooks.takeNavigation = takeAddress;
    watchWindow(window);
    if (!reportsNavigations) {
      warn("Footbridge: this browser does not tell when a page sets location. If the address is a message for native, the page is lost. "
        + "Links, forms, frames and window.open work; Chromium tells all.");
      watchDepartures(takeDeparture);
      listen(window, "beforeunload", () => { isLeaving = true; });
    }
    interceptFrames();
  }
  navigationTakers.push({ pattern, take });
};

// The adapters of the page around a frame take its navigations, unless it has adapters of its own.
installs.push(() => {
  try {
    if (!isTopFrame) hostOf(window.top)?.watchFrame?.(window);
  } catch {
    // The page around it has another origin.
  }
});
