/**
 * The texts of sheets in one language. Names in braces are placeholders.
 * @typedef {typeof englishWords} SheetWords
 */

/**
 * The texts by language (ISO 639-1). Each file of `words/` has one.
 * @type {Record<string, SheetWords>}
 */
const sheetWords = {};
