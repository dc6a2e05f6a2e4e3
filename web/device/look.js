// How the phone is set, as far as a script can have a page notice it.

import { replaceLocale, setLocale } from "./locale.js";
import { replaceMedia, setMedia } from "./media.js";
import { replaceGetter } from "./replace.js";

/** @typedef {import("./device.js").Device} Device */

/** @type {Partial<Device>} */
let look = {};
/** Whether the page hears that it is offline: our listener turns it, after the shim's and before the page's. */
let isOffline = false;

const angle = () => look.orientation === "landscape" ? 90 : 0;
const orientationType = () => look.orientation === "landscape" ? "landscape-primary" : "portrait-primary";

export function replaceLook() {
  replaceMedia();
  replaceLocale();
  replaceGetter(navigator, "language", (browsers) => look.languages?.[0] ?? browsers());
  replaceGetter(navigator, "languages", (browsers) => look.languages ?? browsers());
  replaceGetter(navigator, "onLine", (browsers) => !isOffline && browsers());
  for (const name of ["width", "availWidth"]) replaceGetter(screen, name, (browsers) => look.size?.width ?? browsers());
  for (const name of ["height", "availHeight"]) replaceGetter(screen, name, (browsers) => look.size?.height ?? browsers());
  if (screen.orientation) {
    replaceGetter(screen.orientation, "type", (browsers) => look.orientation ? orientationType() : browsers());
    replaceGetter(screen.orientation, "angle", (browsers) => look.orientation ? angle() : browsers());
  }
  if (window.visualViewport) replaceGetter(visualViewport, "height", (browsers) => Math.max(0, browsers() - (look.keyboardHeight ?? 0)));
  for (const type of ["online", "offline"]) window.addEventListener(type, () => isOffline = !!look.network?.offline);
}

/**
 * Sets a custom property, or another one, of the root element; null takes it away.
 * @param {string} name
 * @param {string | null} value
 */
function setStyle(name, value) {
  const { style } = document.documentElement;
  if (value === null) style.removeProperty(name);
  else style.setProperty(name, value);
}

/** @param {Device} device */
export function setLook(device) {
  const former = look;
  look = device;
  if (look.languages) Object.freeze(look.languages);
  setLocale(device.languages);
  /** @param {keyof Device} name */
  const changes = (name) => JSON.stringify(former[name] ?? null) !== JSON.stringify(device[name]);
  const root = document.documentElement;
  if (root) {
    if (changes("safeArea")) {
      for (const side of /** @type {const} */ (["top", "right", "bottom", "left"])) {
        setStyle(`--safe-area-inset-${side}`, device.safeArea && `${device.safeArea[side]}px`);
      }
    }
    if (changes("colorScheme")) setStyle("color-scheme", device.colorScheme);
    if (changes("textSize")) setStyle("font-size", device.textSize === null ? null : `${device.textSize}%`);
    if (changes("keyboardHeight")) setStyle("--keyboard-height", device.keyboardHeight === null ? null : `${device.keyboardHeight}px`);
  }
  setMedia(device.colorScheme, device.orientation);
  if (changes("orientation")) {
    screen.orientation?.dispatchEvent(new Event("change"));
    window.dispatchEvent(new Event("orientationchange"));
  }
  if (changes("keyboardHeight")) window.visualViewport?.dispatchEvent(new Event("resize"));
  if (changes("languages")) window.dispatchEvent(new Event("languagechange"));
  if (!!former.network?.offline !== !!device.network?.offline) {
    window.dispatchEvent(new Event(device.network?.offline ? "offline" : "online"));
  }
}
