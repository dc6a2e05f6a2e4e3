// What phones do differently, told when the page does it.

import { placeOf, reportDifference } from "./report.js";

/** The time after which WebKit deletes cookies that scripts write, in milliseconds. */
const cookieTime = 7 * 24 * 60 * 60 * 1000;

/** The smallest font of a field into which WebKit does not zoom, in pixels. */
const smallestFont = 16;

const here = () => placeOf(new Error().stack);

/**
 * Runs `before` with the arguments of each call.
 * @param {any} owner
 * @param {string} name
 * @param {"value" | "set"} part - of the property
 * @param {(self: any, ...rest: any[]) => void} before
 */
function watchMember(owner, name, part, before) {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name);
  const target = descriptor?.[part];
  if (!descriptor || typeof target !== "function") return;
  descriptor[part] = new Proxy(target, {
    apply(native, self, rest) {
      try {
        before(self, ...rest);
      } catch {
        // The page has passed something that has no text.
      }
      return Reflect.apply(native, self, rest);
    },
  });
  Object.defineProperty(owner, name, descriptor);
}

/**
 * The name of a site: its scheme is left out, and all but the last two labels of its host.
 * @param {string} origin
 */
const siteOf = (origin) => new URL(origin).hostname.split(".").slice(-2).join(".");

/** Whether the document is in a page of another site. */
function isThirdParty() {
  const own = window.origin === "null" ? "" : siteOf(window.origin);
  return Array.from(location.ancestorOrigins ?? []).some((origin) => origin !== "null" && siteOf(origin) !== own);
}

/** @param {string} cookie */
function checkCookie(cookie) {
  const [, ...attributes] = cookie.split(";").map((part) => part.trim());
  /** @param {string} name */
  const value = (name) => attributes.filter((each) => each.toLowerCase().startsWith(`${name}=`)).at(-1)?.slice(name.length + 1);
  const age = value("max-age");
  const time = age === undefined ? Date.parse(value("expires") ?? "") - Date.now() : Number(age) * 1000;
  if (phone.isIOS && time > cookieTime) reportDifference("cookieAge", here());
  if (phone.isIOS && location.protocol === "http:" && attributes.some((each) => /^secure$/i.test(each))) {
    reportDifference("secureCookie", here());
  }
  if (isThirdParty()) reportDifference("thirdPartyStorage", here());
}

/** @param {HTMLMediaElement} media */
function checkMedia(media, at = here()) {
  if (!media.muted && !(/** @type {any} */ (navigator).userActivation?.hasBeenActive)) reportDifference("autoplay", at);
  if (phone.isIOS && media instanceof HTMLVideoElement && !media.playsInline && !media.hasAttribute("playsinline")) {
    reportDifference("inlineVideo", at);
  }
}

/** Whether a rule of a style sheet measures by the height of the viewport. */
function findViewportHeight() {
  for (const sheet of document.styleSheets) {
    try {
      for (const rule of sheet.cssRules) {
        if (/(?<![\d.])100vh\b/.test(rule.cssText)) return rule.cssText.replace(/\s*\{[^]*/, "").slice(0, 40);
      }
    } catch {
      // A style sheet of another origin.
    }
  }
}

/** @param {FocusEvent} event */
function checkFocus({ target }) {
  if (!(target instanceof Element) || !target.matches("input:not([type=checkbox], [type=radio], [type=range], [type=button]), textarea, select")) return;
  const content = document.querySelector("meta[name=viewport]")?.getAttribute("content") ?? "";
  if (/user-scalable\s*=\s*(no|0)|maximum-scale\s*=\s*1(\.0*)?\b/.test(content)) return;
  if (parseFloat(getComputedStyle(target).fontSize) < smallestFont) {
    reportDifference("zoom", `<${target.localName}>${target.id && `, #${target.id}`}`.slice(0, 80));
  }
}

function checkLoadedDocument() {
  for (const media of document.querySelectorAll("video[autoplay], audio[autoplay]")) {
    checkMedia(/** @type {HTMLMediaElement} */ (media), `<${media.localName} autoplay>`);
  }
  const selector = phone.isIOS && findViewportHeight();
  if (selector) reportDifference("viewportHeight", selector);
}

export function watchDifferences() {
  watchMember(Document.prototype, "cookie", "set", (_, cookie) => checkCookie(`${cookie}`));
  watchMember(Storage.prototype, "setItem", "value", () => {
    if (isThirdParty()) reportDifference("thirdPartyStorage", here());
  });
  watchMember(HTMLMediaElement.prototype, "play", "value", (media) => checkMedia(media));
  if (phone.isIOS) addEventListener("focusin", checkFocus, true);
  addEventListener("load", checkLoadedDocument);
}
