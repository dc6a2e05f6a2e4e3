import { hooks } from "./parts.js";

/**
 * Adds listeners to the window and the document: now, and again when `document.open()` has removed all listeners. One that is still there
 * keeps its place.
 * @param {() => void} add
 */
export function listenAlways(add) {
  const { listen } = hooks;
  hooks.listen = () => {
    listen?.();
    add();
  };
  add();
}
