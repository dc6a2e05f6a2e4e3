// The place of the sheet. A page that is wider than its window, or zoomed, moves fixed elements. So the script lays the sheet
// out in the visible part of the page, and keeps its size independent of the zoom.

import { stage, stageWindow } from "./elements.js";
import { shownSheet } from "./shown.js";

/**
 * The zoom in the page's own style sheets.
 * @param {Element & {currentCSSZoom?: number}} root
 */
const zoomOf = (root) => root.currentCSSZoom ?? (Number(stageWindow.getComputedStyle(root).getPropertyValue("zoom")) || 1);

export function placeSheet() {
  if (!shownSheet || !stageWindow.visualViewport) return;
  const { scale, offsetLeft, offsetTop, width, height } = stageWindow.visualViewport;
  const { style } = shownSheet.screen;
  style.setProperty("zoom", String(1 / scale / zoomOf(stage.documentElement)));
  style.left = `${offsetLeft * scale}px`;
  style.top = `${offsetTop * scale}px`;
  style.width = `${width * scale}px`;
  style.height = `${height * scale}px`;
}

/**
 * Lets the keyboard reach content that does not fit, and shows that there is more.
 * @param {HTMLElement} content
 */
export function watchOverflow(content) {
  const update = () => {
    if (content.scrollHeight > content.clientHeight + 1) content.tabIndex = 0;
    else content.removeAttribute("tabindex");
  };
  // The attribute changes the size. At once, that would be a loop, which browsers report to the page's `onerror`.
  new stageWindow.ResizeObserver(() => stageWindow.requestAnimationFrame(update)).observe(content);
}
