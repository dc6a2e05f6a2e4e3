// The notice of how an approved payment ended.

import { shimHost } from "../../../sheets/elements.js";
import { languageOf } from "../../../sheets/language.js";
import { showNotice } from "../../../sheets/notice.js";

/** @typedef {import("../../../sheets/language.js").Language} Language */
/** @typedef {import("../../../sheets/shown.js").ShownSheet} ShownSheet */

/**
 * Approved payments without an outcome, by product.
 * @type {Map<string, {title: string, language: Language, screen?: HTMLElement, isAsked?: boolean}>}
 */
const openPayments = new Map();

/** @param {ShownSheet} shown - the approved sheet */
export function expectOutcome({ sheet, screen }) {
  const { product, name } = sheet.content;
  const isAsked = sheet.waitsFor === "approval";
  const payment = { title: name, language: languageOf(sheet.locale), screen, isAsked };
  openPayments.set(product.productIdentifier, payment);
  const { words } = payment.language;
  if (isAsked) showNotice(payment, "clock", words.waitingForPermission, words.waits);
  else if (sheet.waitsFor === "interruption") showNotice(payment, "problem", words.interrupted, words.waits);
  else showNotice(payment, "spinner", words.processing, "");
}

/** @param {{transactions: JSPaymentTransaction[]}} data - the data of `onTransactionsUpdated` */
function noteTransactions({ transactions }) {
  for (const { payment: { product }, transactionState } of transactions) {
    const payment = openPayments.get(product.productIdentifier);
    if (!payment || transactionState === "purchasing") continue;
    openPayments.delete(product.productIdentifier);
    const { words } = payment.language;
    if (transactionState === "failed") showNotice(payment, "problem", payment.isAsked ? words.declined : words.failed, words.notPurchased);
    else showNotice(payment, "check", words.allSet, words.purchased);
  }
}

shimHost.note = noteTransactions;
