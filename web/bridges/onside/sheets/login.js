import { choiceRow, element, glyph, group, initialsOf } from "../../../sheets/elements.js";
import { sheetKinds } from "../../../sheets/frame.js";

/** @typedef {import("../../../sheets/language.js").Language} Language */
/** @typedef {import("../../../sheets/frame.js").SheetParts} SheetParts */

const personPath =
  "M12 12a4.2 4.2 0 1 0 0-8.4 4.2 4.2 0 0 0 0 8.4ZM4 20.4c.9-3.6 4-5.6 8-5.6s7.1 2 8 5.6";

/**
 * @param {{store: string, methods: {id: string, label: string, kind: string}[],
 *   accounts: {id: string, name: string, email: string, countryCode: string}[]}} content
 * @param {Language} language
 * @returns {SheetParts}
 */
function loginSheet({ store, methods, accounts }, { words, countryText, textWith }) {
  const rows = accounts.map((account, index) => choiceRow("account", {
    id: account.id,
    label: account.name,
    detail: textWith("{email} · {country}", { email: account.email, country: countryText(account) }),
    initials: initialsOf(account.name),
  }, index === 0));
  const segments = methods.map((method, index) => choiceRow("method", method, index === 0));
  const body = [];
  if (rows.length) body.push(group(words.account, rows));
  if (segments.length) body.push(group(words.signInWith, segments));
  if (segments.length > 1) body[body.length - 1].classList.add("segments");
  return {
    title: textWith(words.signInTitle, { store }),
    description: rows.length ? words.chooseAccount : words.noAccount,
    icon: element("span", { class: "symbol" }, glyph(personPath)),
    body,
    confirm: rows.length ? words.signIn : undefined,
    cancel: words.cancel,
    note: words.loginNote,
  };
}

sheetKinds.login = loginSheet;
