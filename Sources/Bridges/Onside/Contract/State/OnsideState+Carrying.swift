public import BridgeRuntime
import Essentials

/// The state as it is carried into another session.
extension OnsideState {
  /// The state without what pages have set in this launch, in a world of its own. The next launch delivers unfinished transactions again.
  public var carried: OnsideState {
    var carried = self
    carried.transactions.removeAll { $0.stage == .finishing }
    carried.world = nil
    carried.launch = OnsideLaunchState()
    carried.formerLaunch = nil
    return carried
  }

  /// The ids of all orders: those of the ledger, and those of payments that were sent.
  public var orderIDs: Set<String> {
    Set(ledger.purchases.map(\.id)).union(transactions.compactMap(\.transaction.transactionIdentifier))
  }

  /// The state with other ids for all orders. The Merchant API finds the session of an order by its id, so no two sessions may have the same
  /// order.
  public func withNewOrderIDs(_ random: BridgeRandom) -> OnsideState {
    var newIDs: [String: String] = [:]
    func new(_ id: String) -> String {
      if let new = newIDs[id] { return new }
      let new = random.uuid()
      newIDs[id] = new
      return new
    }
    var state = self
    for index in ledger.purchases.indices {
      let order = ledger.purchases[index]
      state.ledger.purchases[index] = order.with(id: new(order.id), originalID: new(order.originalID))
    }
    for index in ledger.subscriptions.indices {
      state.ledger.subscriptions[index].orderID = new(ledger.subscriptions[index].orderID)
    }
    for index in transactions.indices {
      let transaction = transactions[index].transaction
      state.transactions[index].transaction.transactionIdentifier = transaction.transactionIdentifier.map(new)
      state.transactions[index].transaction.originalTransactionIdentifier =
        transaction.originalTransactionIdentifier.map(new)
    }
    return state
  }

  // MARK: Checking

  /// The first member with an impossible value, such as `ledger.purchases[3].expiresAt`, and what it must be. Nil if the state is possible.
  public var impossibility: (member: String, expectation: String)? {
    settings.impossibility.map { ("settings.\($0.member)", $0.expectation) }
      ?? ledger.impossibility.map { ("ledger.\($0.member)", $0.expectation) }
      ?? impossibleTransaction
  }

  private var impossibleTransaction: (member: String, expectation: String)? {
    var ids: Set<UUID> = []
    for (index, entry) in transactions.enumerated() {
      let place = "transactions[\(index)]"
      guard ids.insert(entry.transaction.id).inserted else {
        return ("\(place).transaction.id", "different in each transaction")
      }
      guard entry.isPossible else { return ("\(place).stage", "one that fits transactionState and error") }
      let product = entry.transaction.payment.product
      let prices = [
        product.price, product.introductoryPrice?.price, product.discountedPrice?.price, entry.charge?.price,
      ].compactMap { $0 }
      guard prices.allSatisfy(\.isPossible) else {
        return ("\(place).transaction.payment.product", "sold for a price")
      }
    }
    return nil
  }
}

extension OnsidePurchase {
  /// The same order with other ids.
  fileprivate func with(id: String, originalID: String) -> OnsidePurchase {
    OnsidePurchase(
      id: id, originalID: originalID, accountID: accountID, productIdentifier: productIdentifier, type: type,
      groupIdentifier: groupIdentifier, price: price, countryCode: countryCode, appAccountToken: appAccountToken,
      reason: reason, purchasedAt: purchasedAt, originalPurchasedAt: originalPurchasedAt, expiresAt: expiresAt,
      revokedAt: revokedAt, revocationReason: revocationReason)
  }
}

extension OnsideSettings {
  fileprivate var impossibility: (member: String, expectation: String)? {
    let delays = OnsideCallBehaviour.delays
    if let call = calls.first(where: { !delays.contains($0.value.delayMilliseconds) })?.key {
      return ("calls.\(call.rawValue).delayMilliseconds", "from \(delays.lowerBound) to \(delays.upperBound)")
    }
    let lengths = [("gracePeriodSeconds", gracePeriodSeconds), ("billingRetrySeconds", billingRetrySeconds)]
    let wrong = lengths.first { _, length in length.map { !Self.billingLengths.contains($0) } ?? false }
    return wrong.map { ($0.0, "null, or from 0 to \(Self.billingLengths.upperBound)") }
  }
}

extension OnsideLedger {
  /// The times that a session's clock can show: from 1970 to the end of the year 9999, in milliseconds since the Unix epoch.
  private static let times = 0.0...253_402_300_799_999
  /// The numbers of periods that an offer can have left.
  private static let periods = 0...9999
  /// How often a subscription can have renewed.
  private static let renewals = 0...1_000_000_000_000
  private static let timeExpectation = "milliseconds since 1970, before the year 10000"

  fileprivate var impossibility: (member: String, expectation: String)? {
    var ids: Set<String> = []
    for (index, order) in purchases.enumerated() {
      let place = "purchases[\(index)]"
      // The server's own ids are in lower case, and are compared so.
      let isUUID = UUID(uuidString: order.id) != nil && order.id == order.id.lowercased()
      guard isUUID, ids.insert(order.id).inserted else {
        return ("\(place).id", "a UUID in lower case that no other purchase has")
      }
      guard order.price.isPossible else { return ("\(place).price", "a price") }
      let times = [
        ("purchasedAt", order.purchasedAt), ("originalPurchasedAt", order.originalPurchasedAt),
        ("expiresAt", order.expiresAt), ("revokedAt", order.revokedAt),
      ]
      if let (name, _) = times.first(where: { $0.1.map { !Self.times.contains($0) } ?? false }) {
        return ("\(place).\(name)", Self.timeExpectation)
      }
    }
    for (index, subscription) in subscriptions.enumerated() {
      let place = "subscriptions[\(index)]"
      guard ids.contains(subscription.orderID) else { return ("\(place).orderID", "the id of one of the purchases") }
      guard subscription.anchoredAt.map(Self.times.contains) != false else {
        return ("\(place).anchoredAt", Self.timeExpectation)
      }
      guard Self.periods.contains(subscription.introductoryPeriodsLeft) else {
        return ("\(place).introductoryPeriodsLeft", "a number of periods")
      }
      guard subscription.renewals.map(Self.renewals.contains) != false else {
        return ("\(place).renewals", "a number of renewals")
      }
      guard subscription.offerLength?.isPossible != false else { return ("\(place).offerLength", "an offer's length") }
    }
    return nil
  }
}

extension OnsideOfferLength {
  /// Whether an offer of a catalogue can be as long.
  fileprivate var isPossible: Bool { period.times(numberOfPeriods) != nil }
}

extension OnsidePrice {
  /// Whether this can be the price of a product.
  fileprivate var isPossible: Bool { value.isFinite && value >= 0 && value < 1_000_000_000_000 }
}
