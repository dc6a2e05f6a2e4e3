// Each script with words begins with this file.

const sheetsHost = /** @type {import("../shim/sheets.js").SheetHost} */ (/** @type {any} */ (document)[Symbol.for("footbridge")]);

/**
 * Gives the sheets their words in a language.
 * @param {string} language
 * @param {import("./words/en.js").SheetWords} words
 */
export const addWords = (language, words) => sheetsHost.addWords?.(language, words);
