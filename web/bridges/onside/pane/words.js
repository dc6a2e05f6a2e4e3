// The calls of OnsideKit in words, for the rows of the dashboard's log.

/** @typedef {import("../../../dashboard/stories.js").Story} Story */

/** What becomes of a transaction. */
const STATES = /** @type {Record<string, string>} */ ({ purchased: "paid", restored: "restored" });

/**
 * A call of the store in words; null for another one.
 * @param {Story} story
 * @returns {{what: string, outcome?: string} | null}
 */
export function storeWords(story) {
  const { root, answer } = story;
  if (answer?.error && root.action !== "onside.purchase") return null;
  switch (root.action) {
    case "onside.purchase": return purchase(story);
    case "onside.loadProducts": {
      const count = root.data?.productIdentifiers?.length ?? 0;
      const found = answer?.data?.products?.length;
      return { what: `load ${counted(count, "product")}`, ...(found === undefined ? {} : { outcome: `${found} found` }) };
    }
    case "onside.getTransactions": {
      const count = answer?.data?.transactions?.length;
      return { what: "get transactions", ...(count === undefined ? {} : { outcome: counted(count, "transaction") }) };
    }
    case "onside.finishTransaction": return { what: "finish transaction" };
    case "onside.shouldContinueTransaction": return { what: "may the transaction continue?", ...(answer ? { outcome: answer.data?.result ? "yes" : "no" } : {}) };
    default: return null;
  }
}

/**
 * @param {Story} story
 * @returns {{what: string, outcome?: string}}
 */
function purchase(story) {
  const { root, answer, transaction, waiting } = story;
  const quantity = root.data?.quantity > 1 ? `${root.data?.quantity} × ` : "";
  const what = `purchase ${quantity}${nameOf(story) ?? root.data?.productIdentifier ?? ""}`;
  const { state, waitingFor, error } = transaction?.data ?? {};
  if (answer?.error || waiting.size > 0 || !transaction) return { what };
  if (state === "failed") return { what, outcome: `failed: ${error?.code ?? error ?? "no reason"}` };
  if (waitingFor) return { what, outcome: `waits for ${waitingFor}` };
  return { what, outcome: STATES[state] ?? "goes on" };
}

/**
 * The name of the product, as the sheet or the page's transactions have it.
 * @param {Story} story
 * @returns {string | undefined}
 */
function nameOf({ entries }) {
  for (const { kind, data } of entries) {
    const name = kind === "sheetOpened" ? data?.content?.name : data?.transactions?.[0]?.payment?.product?.localizedTitle;
    if (typeof name === "string") return name;
  }
  return undefined;
}

/**
 * @param {number} count
 * @param {string} one
 */
const counted = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
