// On a touch screen, a person dismisses a sheet at the bottom by pulling it down.

import { stageWindow } from "./elements.js";
import { shownSheet } from "./shown.js";

/** How far a person must pull it, in pixels. */
const swipeLength = 90;
/** @type {{from: number, id: number} | undefined} */
let swipe;

/** @param {PointerEvent} event */
export function hearPointer(event) {
  if (!shownSheet) return;
  const { card, decline, screen } = shownSheet;
  const way = swipe?.id === event.pointerId ? Math.max(0, event.clientY - swipe.from) : 0;
  switch (event.type) {
    case "pointerdown": {
      const isHandle = event.composedPath().some((node) => node instanceof stageWindow.Element && node.matches(".grabber, .head"));
      const canLeave = screen.clientWidth < 600 && !card.classList.contains("camera");
      swipe = event.pointerType === "touch" && isHandle && canLeave ? { from: event.clientY, id: event.pointerId } : undefined;
      break;
    }
    case "pointermove":
      if (swipe) card.style.translate = `0 ${way}px`;
      break;
    case "pointerup":
      swipe = undefined;
      if (way > swipeLength) decline();
      else card.style.translate = "";
  }
}
