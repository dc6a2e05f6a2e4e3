// A shop with one product. It counts the coins of a transaction, then finishes the transaction.

const product = "com.example.coins";
const coins = document.getElementById("coins");

/** The transactions whose coins are counted, because the shop may get a transaction again. */
const counted = new Set(JSON.parse(localStorage.getItem("counted") ?? "[]"));

function show() {
  coins.textContent = `${100 * counted.size} coins`;
}

onside.onTransactionsUpdated = async (transactions) => {
  for (const { id, transactionState } of transactions) {
    if (transactionState === "purchasing") continue;
    if (transactionState === "purchased") {
      counted.add(id);
      localStorage.setItem("counted", JSON.stringify([...counted]));
      show();
    }
    // A failed one is finished, too.
    await onside.finishTransaction(id);
  }
};

const ready = onside.initializeOnside("v1");

document.getElementById("buy").onclick = async () => {
  await ready;
  await onside.loadProducts({ productIdentifiers: [product] });
  await onside.purchase({ productIdentifier: product });
};

show();
