import BridgeCore
import OnsideKit

/// The person in front of the sheets. Approves every sheet, or dismisses it.
@BridgeActor
final class Person: SheetPresenter {
  var approves = true
  /// The kinds of the login methods that were offered.
  private(set) var methods: [String] = []
  /// The themes of the sheets, by kind.
  private(set) var themes: [String: String] = [:]

  func present(_ sheet: Sheet) async -> SheetAnswer {
    methods += (sheet.content["methods"]?.arrayValue ?? []).compactMap { $0["kind"]?.stringValue }
    themes[sheet.kind] = sheet.content["theme"]?.stringValue
    return approves ? .approve() : .cancel
  }
}

private struct Signer: HistorySigner {
  func sign(payload: [UInt8]) async throws -> String { "a.b.c" }
}

/// A session whose store sells coins, and news by subscription.
@BridgeActor
func storeSession(of person: Person) throws -> Onside {
  let file = #"""
    {
      "products": [{"productID": "coins", "type": "NonConsumable", "displayPrice": "1.00"}],
      "subscriptionGroups": [{"id": "news", "subscriptions": [{
        "productID": "monthly", "type": "RecurringSubscription", "displayPrice": "4.99",
        "recurringSubscriptionPeriod": "P1M", "subscriptionGroupID": "news",
        "introductoryOffer": {"displayPrice": "0", "paymentMode": "free", "subscriptionPeriod": "P1W"}
      }]}]
    }
    """#
  var configuration = OnsideConfiguration(try StoreKitConfiguration(data: Data(file.utf8)))
  configuration.settings.refererURL = "https://ads.example/?utm_source=a"
  return Onside(
    configuration: Shared(wrappedValue: configuration), clock: ManualBridgeClock(), random: BridgeRandom(seed: 1),
    presenter: person, historySigner: Signer())
}

/// Waits until something is so.
@BridgeActor
func until(_ condition: @BridgeActor () -> Bool) async {
  while !condition() { await Task.yield() }
}
