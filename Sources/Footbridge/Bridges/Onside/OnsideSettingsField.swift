import BridgeCore
import OnsideKit

/// A setting of the store: its name, how to read its value, and how to show it.
///
/// ``all`` is the only list of these names. `footbridge.yaml`, scenarios and the control API follow it, and a test compares `openapi.json` and the
/// manual with it.
struct OnsideSettingsField: Sendable {
  /// A change to the settings.
  typealias Change = @Sendable (inout OnsideSettings) -> Void

  /// The name, as in `onside.settings`.
  let name: String
  /// Reads a value, and returns the change that sets it. Throws `OptionError` for a value that the setting cannot have.
  let read: @Sendable (InputNode) throws(OptionError) -> Change
  /// The present value.
  let json: @Sendable (OnsideSettings) -> JSONValue

  /// Every setting but `calls`, which has a section of its own in `footbridge.yaml`.
  static let all = [
    toggle("failTransactions", \.failTransactionsEnabled),
    toggle("askToBuy", \.askToBuyEnabled),
    toggle("interruptedPurchases", \.interruptedPurchasesEnabled),
    toggle("disableDialogs", \.disableDialogs),
    toggle("billingGracePeriod", \.billingGracePeriodEnabled),
    toggle("renewalBillingIssues", \.renewalBillingIssuesEnabled),
    toggle("localTesting", \.localTesting),
    field("timeRate", \.timeRate) { node throws(OptionError) in
      guard let rate = StoreKitTimeRate(rawValue: try node.integer(in: 0...Int(Int32.max))) else {
        throw node.expected(
          "one of the numbers of StoreKit's time rates, such as 0 (real time) or 6 (a day takes a second)")
      }
      return rate
    } json: {
      .number(Double($0.rawValue))
    },
    field("storefront", \.storefront) { node throws(OptionError) in
      try node.country()
    } json: {
      .string($0)
    },
    field("locale", \.locale) { node throws(OptionError) in
      try node.text()
    } json: {
      .string($0)
    },
    field("refererUrl", \.refererURL) { node throws(OptionError) in
      node.isNull ? nil : try node.text()
    } json: {
      $0.map { .string($0) } ?? .null
    },
  ]

  private static func toggle(
    _ name: String, _ path: any WritableKeyPath<OnsideSettings, Bool> & Sendable
  ) -> OnsideSettingsField {
    field(name, path) { node throws(OptionError) in
      try node.bool()
    } json: {
      .bool($0)
    }
  }

  private static func field<Value: Sendable>(
    _ name: String,
    _ path: any WritableKeyPath<OnsideSettings, Value> & Sendable,
    read: @escaping @Sendable (InputNode) throws(OptionError) -> Value,
    json: @escaping @Sendable (Value) -> JSONValue
  ) -> OnsideSettingsField {
    OnsideSettingsField(
      name: name,
      read: { node throws(OptionError) in
        let value = try read(node)
        return { $0[keyPath: path] = value }
      },
      json: { json($0[keyPath: path]) })
  }
}

extension OnsideSettings {
  /// The settings as the control API shows them.
  var json: JSONValue {
    var members = Dictionary(uniqueKeysWithValues: OnsideSettingsField.all.map { ($0.name, $0.json(self)) })
    let calls = OnsideCall.allCases.filter { !self[$0].isUsual }
    members[OnsideCallBehaviour.settingsName] = .object(
      Dictionary(uniqueKeysWithValues: calls.map { ($0.rawValue, self[$0].json) }))
    return .object(members)
  }
}

extension OnsideCallBehaviour {
  /// The name under which the control API has the behaviour of calls among the settings. In `footbridge.yaml` it is a section beside them.
  static let settingsName = "calls"

  /// The names of what can be set for a call.
  enum Field: String, CaseIterable {
    case delay, error, once
  }

  fileprivate var json: JSONValue {
    let members: [Field: JSONValue] = [
      .delay: .number(Double(delayMilliseconds)), .error: error.map { .string($0) } ?? .null, .once: .bool(once),
    ]
    return .object(Dictionary(uniqueKeysWithValues: members.map { ($0.rawValue, $1) }))
  }
}
