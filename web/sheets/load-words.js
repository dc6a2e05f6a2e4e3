import { shimHost } from "./elements.js";
import { languageFor } from "./language.js";
import { sheetWords } from "./words.js";

shimHost.addWords = (language, words) => {
  sheetWords[language] = words;
};

/**
 * Loads the words for a locale, unless they are there.
 * @param {string | undefined} locale
 * @param {(() => void)} then - runs once they are there; or cannot be had, and the sheet is in English
 */
export function withWords(locale, then) {
  const language = languageFor(locale);
  if (sheetWords[language]) return then();
  const script = shimHost.loadScript(`words/${language}.js`);
  script.addEventListener("load", then);
  script.addEventListener("error", then);
}
