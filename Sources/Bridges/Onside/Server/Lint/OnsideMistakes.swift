import BridgeCore
import OnsideKit

/// The rules that look at a single call or event (L03, L05, L06, L11 to L14). Pure functions.
enum OnsideMistakes {
  /// Returns the mistake in a call that finishes a transaction by this id, with its rule; nil if there is none.
  static func finishing(
    _ id: String, queue: some Sequence<OnsidePaymentTransaction>, isKnownOrder: Bool
  ) -> (rule: String, about: String)? {
    let id = id.lowercased()
    var other: String?
    for transaction in queue {
      if transaction.id.text.lowercased() == id {
        guard transaction.transactionState == .purchasing else { return nil }
        return ("L05", "finishTransaction of \(transaction.payment.product.productIdentifier) while it is purchasing.")
      }
      if transaction.transactionIdentifier?.lowercased() == id { other = "its transactionIdentifier" }
      if transaction.payment.product.productIdentifier.lowercased() == id { other = "the product's identifier" }
    }
    if let other { return ("L06", "finishTransaction got \(other), \(id).") }
    return isKnownOrder ? ("L06", "finishTransaction got the transactionIdentifier of an order, \(id).") : nil
  }

  /// Returns the optional members of a call that are null.
  static func nulls(of call: OnsideCall, _ data: [String: JSONValue]) -> [String] {
    let optional =
      switch call {
      case .purchase: ["appAccountToken"]
      case .trackEvent: ["parameters"]
      default: [String]()
      }
    return optional.filter { data[$0] == .null }
  }

  /// Returns the mistakes in an event, each with its rule. The host drops or cuts parts of such an event.
  static func event(_ event: OnsideTrackedEvent) -> [(rule: String, about: String)] {
    var found: [(rule: String, about: String)] = []
    for remark in event.remarks {
      let rule =
        switch (remark.action, remark.reason) {
        case (.rejected, _): "L11"
        case (_, .nestedArray): "L13"
        case (_, .null): "L14"
        default: "L12"
        }
      if found.contains(where: { $0.rule == rule }) { continue }
      found.append((rule, "\(event.name.prefix(60)): \(remark.description)."))
    }
    return found
  }

  /// Returns the callback of which a property of `window.onside` is probably a misspelling; nil if it is spelled correctly or resembles none.
  static func meantCallback(by name: String) -> String? {
    let callbacks = OnsideCallback.allCases.map(\.rawValue)
    if callbacks.contains(name) { return nil }
    let plain = name.lowercased()
    // With a larger distance, properties of the page's own could match by chance.
    if let nearest = Spelling.nearest(to: name, in: callbacks), Spelling.distance(plain, nearest.lowercased()) <= 3 {
      return nearest
    }
    // The end of the name is missing.
    return callbacks.first { $0.lowercased().hasPrefix(plain) && plain.count * 3 > $0.count * 2 }
  }
}
