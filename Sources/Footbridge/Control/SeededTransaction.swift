import BridgeRuntime
import OnsideKit

/// A transaction that an earlier launch has left, as a body or a scenario has it.
struct SeededTransaction: Sendable {
  /// What is being bought, and who buys it.
  let product: SeededProduct
  private let seed: OnsideTransactionSeed

  /// Reads `{product, account?, waitingFor}` or `{product, account?, error}`.
  init(_ node: YAMLNode) throws(OptionError) {
    let members = try node.section(["product", "account", "waitingFor", "error"])
    product = try SeededProduct(members, of: node)
    let waitingFor = try members["waitingFor"]?.choice(OnsideTransactionWait.self)
    let error = try members["error"]?.choice(OnsidePaymentTransactionError.self)
    switch (waitingFor, error) {
    case (.approval, nil): seed = .awaitingApproval
    case (.interruption, nil): seed = .interrupted
    case (nil, let error?): seed = .failed(error)
    default:
      throw node.expected("given either waitingFor or an error; one that was paid is a purchase with finished: false")
    }
  }

  /// Makes the transaction. Throws when the account cannot buy the product.
  @BridgeActor
  func make(in session: Session) throws(OptionError) -> QueuedTransaction {
    let account = try session.buyer(of: product)
    guard let transaction = session.onside.seedTransaction(of: product.identifier, account: account, seed) else {
      throw product.notSold
    }
    return transaction
  }
}
