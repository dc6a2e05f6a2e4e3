/// A callback of the page, which the host calls (bridge reference, "Native → JS Callbacks"; the last one is of contract 1.3).
public enum OnsideCallback: String, Sendable, CaseIterable {
  /// Transactions are new, or have a new state.
  case onTransactionsUpdated
  /// Transactions have left the queue.
  case onTransactionsRemoved
  /// Another storefront was selected, or none.
  case onStorefrontChanged
  /// A restore is complete.
  case onRestoreCompletedTransactionsFinished
  /// A restore has failed.
  case onRestoreCompletedTransactionsFailedWithError
  /// Asks whether a transaction continues.
  case shouldContinueTransaction
  /// Asks whether a purchase that needed a login continues.
  case shouldContinueTransactionAfterLogin

  /// The action of its messages.
  public var action: String { "onside.\(rawValue)" }

  /// Whether the page answers with true or false.
  public var isQuestion: Bool {
    switch self {
    case .shouldContinueTransaction, .shouldContinueTransactionAfterLogin: true
    default: false
    }
  }

  /// The members of its data.
  public var members: [String] {
    switch self {
    case .onTransactionsUpdated, .onTransactionsRemoved: ["transactions"]
    case .onStorefrontChanged: ["storefront"]
    case .onRestoreCompletedTransactionsFinished: []
    case .onRestoreCompletedTransactionsFailedWithError: ["error"]
    case .shouldContinueTransaction: ["transaction", "storefront"]
    case .shouldContinueTransactionAfterLogin: ["transaction"]
    }
  }
}
