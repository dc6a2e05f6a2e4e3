import { arWords } from "./words/ar.js";
import { deWords } from "./words/de.js";
import { enWords } from "./words/en.js";
import { esWords } from "./words/es.js";
import { frWords } from "./words/fr.js";
import { heWords } from "./words/he.js";
import { itWords } from "./words/it.js";
import { jaWords } from "./words/ja.js";
import { koWords } from "./words/ko.js";
import { nlWords } from "./words/nl.js";
import { plWords } from "./words/pl.js";
import { ptWords } from "./words/pt.js";
import { trWords } from "./words/tr.js";
import { zhWords } from "./words/zh.js";

/**
 * The texts by language (ISO 639-1).
 * @type {Record<string, import("./words/en.js").SheetWords>}
 */
export const sheetWords = {
  ar: arWords,
  de: deWords,
  en: enWords,
  es: esWords,
  fr: frWords,
  he: heWords,
  it: itWords,
  ja: jaWords,
  ko: koWords,
  nl: nlWords,
  pl: plWords,
  pt: ptWords,
  tr: trWords,
  zh: zhWords,
};
