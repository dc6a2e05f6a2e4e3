import OnsideKit

extension OnsideMember {
  /// The members of a purchase that a test adds.
  static let ofSeededPurchase: [OnsideMember] = [
    .product, .account, .quantity, .purchasedAt, .finished, .appAccountToken, .offer,
  ]
  /// The members of a transaction that a test adds.
  static let ofSeededTransaction: [OnsideMember] = [.product, .account, .waitingFor, .error]
}

/// Values of the store in `footbridge.yaml` and the control API.
extension InputNode {
  /// The id of one of `accounts`.
  func accountID(among accounts: [String]) throws(OptionError) -> String {
    let id = try text()
    guard accounts.contains(id) else {
      throw expected("the id of an account, one of: \(accounts.joined(separator: ", "))")
    }
    return id
  }

  /// An ISO 3166 country code of two or three letters. Returns the one of two.
  func country() throws(OptionError) -> String {
    guard let territory = Territory(code: try text()) else { throw expected("an ISO 3166 country code") }
    return territory.alpha2
  }

  /// An earlier purchase: `{product, account?, quantity?, purchasedAt?, finished?, appAccountToken?, offer?}`.
  func seededPurchase() throws(OptionError) -> SeededPurchase {
    let members = try section(OnsideMember.ofSeededPurchase)
    return SeededPurchase(
      product: try seededProduct(members),
      quantity: try members[.quantity]?.integer(in: 1...100) ?? 1,
      purchasedAt: try members[.purchasedAt]?.instant(),
      isFinished: try members[.finished]?.bool() ?? true,
      appAccountToken: try members[.appAccountToken]?.text(),
      offer: try members[.offer]?.text()
    )
  }

  /// A transaction of an earlier launch: `{product, account?, waitingFor}` or `{product, account?, error}`.
  func seededTransaction() throws(OptionError) -> SeededTransaction {
    let members = try section(OnsideMember.ofSeededTransaction)
    let waitingFor = try members[.waitingFor]?.choice(OnsideTransactionWait.self)
    let error = try members[.error]?.choice(OnsidePaymentTransactionError.self)
    let progress: OnsideTransactionSeed =
      switch (waitingFor, error) {
      case (.approval, nil): .awaitingApproval
      case (.interruption, nil): .interrupted
      case (nil, let error?): .failed(error)
      default:
        throw expected("given either waitingFor or an error; one that was paid is a purchase with finished: false")
      }
    return SeededTransaction(product: try seededProduct(members), progress: progress)
  }

  private func section(_ known: [OnsideMember]) throws(OptionError) -> [OnsideMember: InputNode] {
    let members = try section(known.map(\.rawValue))
    return Dictionary(uniqueKeysWithValues: known.compactMap { name in members[name.rawValue].map { (name, $0) } })
  }

  private func seededProduct(_ members: [OnsideMember: InputNode]) throws(OptionError) -> SeededProduct {
    guard let product = try members[.product]?.text() else { throw expected("an object with at least a product") }
    return SeededProduct(identifier: product, account: try members[.account]?.text(), place: place)
  }
}
