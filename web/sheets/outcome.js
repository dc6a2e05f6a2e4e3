// The notice of how an approved payment ended. It shows above the page, in a closed shadow root: the page and its tests
// neither find it nor wait for it, and it takes no clicks.

/**
 * Approved payments without an outcome, by product.
 * @type {Map<string, {title: string, language: Language, screen?: HTMLElement, isAsked?: boolean}>}
 */
const openPayments = new Map();
/** @type {HTMLElement | undefined} */
let shownOutcome;

/** @param {ShownSheet} shown - the approved sheet */
function expectOutcome({ sheet, dialog }) {
  if (sheet.kind !== "payment" && sheet.kind !== "priceChange") return;
  const { product, name } = sheet.content;
  const isAsked = sheet.waitsFor === "approval";
  const payment = { title: name, language: languageOf(sheet.locale), screen: dialog, isAsked };
  openPayments.set(product.productIdentifier, payment);
  const { words } = payment.language;
  if (isAsked) showOutcome(payment, "clock", words.waitingForPermission, words.waits);
  else if (sheet.waitsFor === "interruption") showOutcome(payment, "problem", words.interrupted, words.waits);
  else showOutcome(payment, "spinner", words.processing, "");
}

/** @param {{transactions: JSPaymentTransaction[]}} data - the data of `onTransactionsUpdated` */
function noteTransactions({ transactions }) {
  for (const { payment: { product }, transactionState } of transactions) {
    const payment = openPayments.get(product.productIdentifier);
    if (!payment || transactionState === "purchasing") continue;
    openPayments.delete(product.productIdentifier);
    const { words } = payment.language;
    if (transactionState === "failed") showOutcome(payment, "problem", payment.isAsked ? words.declined : words.failed, words.notPurchased);
    else showOutcome(payment, "check", words.allSet, words.purchased);
  }
}

/** @param {{locale?: string}} sheet - a sheet on another page, which comes first */
function showElsewhere({ locale }) {
  const language = languageOf(locale);
  showOutcome({ title: "", language }, "clock", language.words.elsewhere, language.words.elsewhereText);
}

const outcomePaths = { check: "M5 12.5l4.5 4.5L19 7.5", problem: "M12 6v7.500M12 17.500v.1", clock: "M12 6.500v6l3.5 2" };

/**
 * @param {{title: string, language: Language, screen?: HTMLElement}} payment
 * @param {"spinner" | keyof typeof outcomePaths} sign
 * @param {string} title
 * @param {string} text
 */
function showOutcome({ title: product, language, screen }, sign, title, text) {
  shownOutcome?.remove();
  const mark = element("span", { class: `mark ${sign}` });
  if (sign !== "spinner") mark.append(glyph(outcomePaths[sign]));
  const notice = element("div", { class: "notice", role: "status" }, mark, element("div", {}, element("strong", {}, title),
    ...(text ? [element("p", { dir: "auto" }, fill(text, { product }))] : [])));
  const picture = element("div", {
    class: "screen outcome", lang: language.tag, dir: language.direction, "data-theme": screen?.dataset.theme ?? "",
  }, notice);
  if (screen) picture.style.cssText = screen.style.cssText;
  const layer = pictureLayer(picture);
  shownOutcome = layer;
  whenAtRest(notice).then(() => layer.remove());
}
