import Onside

/// How a ledger's orders have changed, so that a store need not write all of them each time.
struct PurchaseChanges {
  /// New and changed orders, oldest first.
  private(set) var written: [OnsidePurchase] = []
  /// The ids of orders that are gone.
  private(set) var removed: [String] = []

  /// Compares two ledgers' orders. Those of an older time are usually the same in both, at the same place.
  init(from former: [OnsidePurchase], to present: [OnsidePurchase]) {
    let same = zip(former, present).prefix { $0 == $1 }.count
    let formerByID = Dictionary(former[same...].map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var gone = Set(formerByID.keys)
    for purchase in present[same...] {
      gone.remove(purchase.id)
      if formerByID[purchase.id] != purchase { written.append(purchase) }
    }
    removed = gone.sorted()
  }
}
