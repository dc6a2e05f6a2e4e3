// A notice above the page, in a closed shadow root: the page and its tests neither find it nor wait for it, and it takes no clicks.

import { element, glyph } from "./elements.js";
import { languageOf } from "./language.js";
import { pictureLayer, whenAtRest } from "./leaving.js";
import { withWords } from "./load-words.js";

/** @typedef {import("./language.js").Language} Language */

/** @type {HTMLElement | undefined} */
let shownNotice;

const noticePaths = { check: "M5 12.5l4.5 4.5L19 7.5", problem: "M12 6v7.500M12 17.500v.1", clock: "M12 6.500v6l3.5 2" };

/**
 * @param {{title: string, language: Language, screen?: HTMLElement}} notice
 * @param {"spinner" | keyof typeof noticePaths} sign
 * @param {string} title
 * @param {string} text
 */
export function showNotice({ title: product, language, screen }, sign, title, text) {
  shownNotice?.remove();
  const mark = element("span", { class: `mark ${sign}` });
  if (sign !== "spinner") mark.append(glyph(noticePaths[sign]));
  const notice = element("div", { class: "notice", role: "status" }, mark, element("div", {}, element("strong", {}, title),
    ...(text ? [element("p", {}, language.textWith(text, { product }))] : [])));
  const picture = element("div", {
    class: "screen outcome", lang: language.tag, dir: language.direction, "data-theme": screen?.dataset.theme ?? "",
  }, notice);
  if (screen) picture.style.cssText = screen.style.cssText;
  const layer = pictureLayer(picture);
  shownNotice = layer;
  whenAtRest(notice).then(() => layer.remove());
}

/** @param {{locale?: string}} sheet - a sheet on another page, which comes first */
export function showElsewhere({ locale }) {
  withWords(locale, () => {
    const language = languageOf(locale);
    showNotice({ title: "", language }, "clock", language.words.elsewhere, language.words.elsewhereText);
  });
}
