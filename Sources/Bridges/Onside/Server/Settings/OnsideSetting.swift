package import BridgeCore
package import OnsideKit
package import Sessions

/// A setting of the store. The raw value is its name in `onside.settings`; the case has the name of the property of `OnsideSettings`.
///
/// This is the only list of these names. `footbridge.yaml`, scenarios and the control API follow it, and a test compares `openapi.json` and
/// the manual with it. `calls` is not a member: it has its own section in `footbridge.yaml`.
package enum OnsideSetting: String, CaseIterable, Sendable {
  case failTransactionsEnabled = "failTransactions"
  case askToBuyEnabled = "askToBuy"
  case interruptedPurchasesEnabled = "interruptedPurchases"
  case disableDialogs
  case billingGracePeriodEnabled = "billingGracePeriod"
  case renewalBillingIssuesEnabled = "renewalBillingIssues"
  case localTesting, timeRate, gracePeriodSeconds, billingRetrySeconds, storefront, locale, refererUrl

  /// The current value.
  package func json(in settings: OnsideSettings) -> JSONValue {
    switch self {
    case .failTransactionsEnabled: .bool(settings.failTransactionsEnabled)
    case .askToBuyEnabled: .bool(settings.askToBuyEnabled)
    case .interruptedPurchasesEnabled: .bool(settings.interruptedPurchasesEnabled)
    case .disableDialogs: .bool(settings.disableDialogs)
    case .billingGracePeriodEnabled: .bool(settings.billingGracePeriodEnabled)
    case .renewalBillingIssuesEnabled: .bool(settings.renewalBillingIssuesEnabled)
    case .localTesting: .bool(settings.localTesting)
    case .timeRate: .number(Double(settings.timeRate.rawValue))
    case .gracePeriodSeconds: settings.gracePeriodSeconds.map { .number(Double($0)) } ?? .null
    case .billingRetrySeconds: settings.billingRetrySeconds.map { .number(Double($0)) } ?? .null
    case .storefront: .string(settings.storefront)
    case .locale: .string(settings.locale)
    case .refererUrl: settings.refererURL.map { .string($0) } ?? .null
    }
  }
}

extension OnsideSettings {
  /// The settings as the control API shows them.
  package var json: JSONValue {
    var members = Dictionary(uniqueKeysWithValues: OnsideSetting.allCases.map { ($0.rawValue, $0.json(in: self)) })
    let calls = OnsideCall.allCases.filter { !self[$0].isUsual }
    members[OnsideCallBehaviour.settingsName] = .object(
      Dictionary(uniqueKeysWithValues: calls.map { ($0.rawValue, self[$0].json) }))
    return .object(members)
  }
}

extension OptionError {
  /// Runs a check of errors that a test has set. It refuses one that the session's contract does not have.
  package static func refusing(_ check: () throws(OnsideSettingsError) -> Void) throws(OptionError) {
    do throws(OnsideSettingsError) {
      try check()
    } catch {
      throw OptionError(error.description)
    }
  }
}

extension OnsideCallBehaviour {
  /// The name for the behaviour of calls among the settings of the control API. In `footbridge.yaml` it is a section beside them.
  package static let settingsName = "calls"

  /// The members of a call's behaviour.
  package enum Field: String, CaseIterable {
    case delay, error, once
  }

  fileprivate var json: JSONValue {
    let members: [Field: JSONValue] = [
      .delay: .number(Double(delayMilliseconds)), .error: error.map { .string($0) } ?? .null, .once: .bool(once),
    ]
    return .object(Dictionary(uniqueKeysWithValues: members.map { ($0.rawValue, $1) }))
  }
}

/// Changes to the store's settings: exactly those that `footbridge.yaml`, a scenario or a test has set.
package struct OnsideSettingsChanges: Sendable {
  private var changes: [@Sendable (inout OnsideSettings) -> Void] = []

  /// No change.
  package init() {}

  /// Adds a change. It is applied after the earlier ones.
  package mutating func add(_ change: @escaping @Sendable (inout OnsideSettings) -> Void) {
    changes.append(change)
  }

  /// Applies the changes in order.
  package func apply(to settings: inout OnsideSettings) {
    for change in changes { change(&settings) }
  }
}
