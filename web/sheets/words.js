import { enWords } from "./words/en.js";

/** The languages that have words (BCP 47). All but English are scripts of their own, which load when a sheet needs them. */
export const sheetLanguages =
  "ar cs da de el en es fi fr he hi id it ja ko nb nl pl pt sv th tr uk vi zh-Hans zh-Hant".split(" ");

/**
 * The words that have loaded, by language.
 * @type {Record<string, import("./words/en.js").SheetWords | undefined>}
 */
export const sheetWords = { en: enWords };
