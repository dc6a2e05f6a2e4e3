package import Sessions

/// The linter's rules for `window.onside`. The sections are those of the published contract.
package enum OnsideLintRules {
  package static let all = [
    LintRule(
      "L01", .error, "A transaction that has ended is never finished",
      contract:
        "The app must finish each transaction that is purchased, restored or failed; otherwise the queue delivers it again at the next launch.",
      section: "Purchasing, You MUST Finish Transactions",
      advice: "Call finishTransaction(id) once the content is delivered, also for failed transactions."),
    LintRule(
      "L02", .error, "A callback without a handler",
      contract: "A callback without a handler does nothing, so the page misses the states of its transactions.",
      section: "JS bridge, Native → JS Callbacks",
      advice: "Assign window.onside.onTransactionsUpdated before the first call, in the page's first script."),
    LintRule(
      "L03", .error, "The name of a callback is misspelled",
      contract: "Native calls only the callbacks that the contract names, in exactly this spelling.",
      section: "JS bridge, Native → JS Callbacks",
      advice: "Correct the name of the property of window.onside."),
    LintRule(
      "L04", .error, "A purchase of a product that was not loaded",
      contract:
        "purchase takes only products that loadProducts has returned in this launch; it rejects others with unknownProduct.",
      section: "JS bridge, purchase",
      advice: "Call loadProducts first, and offer only what is in its products."),
    LintRule(
      "L05", .warning, "A transaction is finished while it is purchasing",
      contract:
        "finishTransaction is for transactions in a final state. Before the payment starts, it takes the transaction out of the queue; after that, it has no effect.",
      section: "JS bridge, finishTransaction",
      advice: "Wait for the state purchased, restored or failed in onTransactionsUpdated."),
    LintRule(
      "L06", .error, "finishTransaction gets another identifier",
      contract: "The member id is the only stable handle of a transaction, and finishTransaction takes only this id.",
      section: "JS bridge, JSPaymentTransaction",
      advice: "Pass transaction.id, not its transactionIdentifier and not the product's identifier."),
    LintRule(
      "L07", .warning, "A restore without handlers for its outcome",
      contract:
        "The outcome of a restore is delivered to onRestoreCompletedTransactionsFinished or …FailedWithError, not by the promise.",
      section: "JS bridge, restoreCompletedTransactions",
      advice: "Assign both callbacks before restoreCompletedTransactions."),
    LintRule(
      "L08", .information, "A reloaded page does not read the queue",
      contract: "After a reload, getTransactions returns the transactions that are still in the queue.",
      section: "JS bridge, getTransactions",
      advice: "Call getTransactions when the page starts, and handle the transactions that it returns."),
    LintRule(
      "L09", .warning, "The storefront changed, and nothing handles it",
      contract:
        "Prices and availability depend on the storefront, which can change at any time; products should then be loaded again.",
      section: "Products, Handling Regions and Product Availability",
      advice: "Assign onStorefrontChanged, and call loadProducts in it."),
    LintRule(
      "L10", .error, "A call was rejected, and nobody caught it",
      contract: "Calls that return a promise reject it with the error of the call.",
      section: "JS bridge, Conventions",
      advice: "Await the call in a try block with a catch, or add .catch() to its promise."),
    LintRule(
      "L11", .error, "An event was dropped",
      contract:
        "The name of an event must match ^[a-zA-Z][a-zA-Z0-9_]*$ and must not begin with onside_ or $$; native drops others.",
      section: "JS bridge, trackEvent",
      advice: "Give the event another name."),
    LintRule(
      "L12", .warning, "A part of an event was truncated or dropped",
      contract:
        "Names and keys have at most 40 characters, strings at most 100, and an event has at most 25 parameters with well-formed keys.",
      section: "JS bridge, trackEvent",
      advice: "Shorten it, or leave it out."),
    LintRule(
      "L13", .warning, "A parameter of an event is an array of arrays",
      contract: "An array in an event holds only strings, numbers and booleans, and no arrays.",
      section: "JS bridge, JSEventParameterValue",
      advice: "Make the array flat, or use several parameters."),
    LintRule(
      "L14", .error, "null in place of an absent member",
      contract: "An optional member may be left out, but null is not a value of its type.",
      section: "JS bridge, API Reference",
      advice: "Leave the member out, or set it to undefined."),
    LintRule(
      "L15", .error, "shouldContinueTransaction does not return a boolean",
      contract:
        "shouldContinueTransaction returns true or false, or a promise of one; anything else counts as true, so the payment goes on.",
      section: "JS bridge, shouldContinueTransaction",
      advice: "Return true or false on every path, even if the code fails."),
    LintRule(
      "L16", .warning, "onTransactionsUpdated is assigned too late",
      contract:
        "The observer of transactions is registered at launch; the page does not get updates that came before.",
      section: "Purchasing, Set Up the Transaction Observer",
      advice: "Assign window.onside.onTransactionsUpdated in the page's first script, before any call."),
    LintRule(
      "L17", .information, "A restore that the user has not asked for",
      contract: "A restore is offered as a button, for users who have a new device or have installed the app again.",
      section: "Purchasing, Restoring Purchases",
      advice:
        "Call restoreCompletedTransactions when the user presses a button; to rebuild the page, use getTransactions."),
    LintRule(
      "L18", .error, "A purchase of a product that was loaded for another storefront",
      contract:
        "After a change of the storefront, the app loads its products again, so that it shows the prices that the user pays.",
      section: "Products, Re-fetch Products After Login/Logout",
      advice: "Call loadProducts in onStorefrontChanged, and sell only what it returns."),
  ]
}
