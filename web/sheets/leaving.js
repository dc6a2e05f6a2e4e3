/**
 * Shows how an answered card leaves. It is a picture only: neither the page nor a test finds anything in it, and it takes no click.
 * @param {HTMLElement} screen - where the card was
 * @param {HTMLElement} card
 */
function letLeave(screen, card) {
  // A photo of many pixels is slow to move.
  if (card.classList.contains("camera")) return;
  const picture = element("div", {
    class: "screen leaving", "data-theme": screen.dataset.theme ?? "", dir: screen.dir, "aria-hidden": "true", inert: "",
  }, card);
  picture.style.cssText = screen.style.cssText;
  const layer = pictureLayer(picture);
  whenAtRest(picture).then(() => layer.remove());
}

/**
 * Puts over the page what is only looked at.
 * @param {HTMLElement} picture
 */
function pictureLayer(picture) {
  const layer = element("footbridge-layer");
  const root = layer.attachShadow({ mode: "closed" });
  root.adoptedStyleSheets = [sheetStyle()];
  root.append(picture);
  stage.documentElement?.append(layer);
  return layer;
}

/**
 * By what the style sheet animates, not by a timer: timers are the page's, and its tests may have stopped them.
 * @param {HTMLElement} picture
 */
const whenAtRest = (picture) =>
  Promise.allSettled(picture.getAnimations({ subtree: true }).map(({ finished }) => finished));
