import { element, stage } from "./elements.js";
import { sheetStyle } from "./style.js";

/**
 * Shows how an answered card slides away. This is only a picture: neither the page nor a test finds it, and it takes no clicks.
 * @param {HTMLElement} screen - where the card was
 * @param {HTMLElement} card
 */
export function letLeave(screen, card) {
  // A large photo moves slowly.
  if (card.classList.contains("camera")) return;
  const picture = element("div", {
    class: "screen leaving", "data-theme": screen.dataset.theme ?? "", dir: screen.dir, "aria-hidden": "true", inert: "",
  }, card);
  picture.style.cssText = screen.style.cssText;
  const layer = pictureLayer(picture);
  whenAtRest(picture).then(() => layer.remove());
}

/**
 * Puts a picture above the page.
 * @param {HTMLElement} picture
 */
export function pictureLayer(picture) {
  const layer = element("footbridge-layer");
  const root = layer.attachShadow({ mode: "closed" });
  root.adoptedStyleSheets = [sheetStyle()];
  root.append(picture);
  stage.documentElement?.append(layer);
  return layer;
}

/**
 * Removes the picture when its animation in the style sheet ends. A timer would be the page's, and its tests may have stopped it.
 * @param {HTMLElement} picture
 */
export const whenAtRest = (picture) =>
  Promise.allSettled(picture.getAnimations({ subtree: true }).map(({ finished }) => finished));
