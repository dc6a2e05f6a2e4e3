/**
 * What sheets say in one language. Names in braces stand for what is put in.
 * @typedef {typeof englishWords} SheetWords
 */

/**
 * By language, ISO 639-1. The files of `words/` have one each.
 * @type {Record<string, SheetWords>}
 */
const sheetWords = {};
