import OnsideKit

/// `onside.settings` and `onside.calls` of the YAML file: the settings with which sessions start.
struct OnsideSettingsSection: Sendable {
  private var changes: [@Sendable (inout OnsideSettings) -> Void] = []
  private var calls: [(call: OnsideCall, behaviour: OnsideCallBehaviour)] = []

  /// A section that changes nothing.
  init() {}

  /// Reads both.
  init(settings: YAMLNode?, calls: YAMLNode?) throws(OptionError) {
    if let settings { try readSettings(settings) }
    if let calls { try readCalls(calls) }
  }

  /// Reads settings among which calls are, as the control API has them.
  init(_ node: YAMLNode) throws(OptionError) {
    try readSettings(node, besides: ["calls"])
    if let calls = try node.members().first(where: { $0.name == "calls" }) { try readCalls(calls.value) }
  }

  /// Makes the changes.
  func apply(to settings: inout OnsideSettings) {
    for change in changes { change(&settings) }
    // Whether each call can have its error was seen when the section was read.
    for (call, behaviour) in calls { try? settings.set(behaviour, for: call) }
  }

  /// `null` has a call behave as usual.
  private mutating func readCalls(_ node: YAMLNode) throws(OptionError) {
    for (name, node) in try node.members() {
      guard let call = OnsideCall(rawValue: name) else {
        throw node.expected("named by a call, one of: \(OnsideCall.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      let members = node.isNull ? [:] : try node.section(["delay", "error", "once"])
      let error = members["error"]
      let behaviour = OnsideCallBehaviour(
        delayMilliseconds: try members["delay"]?.integer(in: 0...3_600_000) ?? 0,
        error: error?.isNull == true ? nil : try error?.text(),
        once: try members["once"]?.bool() ?? false
      )
      var trial = OnsideSettings()
      do {
        try trial.set(behaviour, for: call)
      } catch {
        throw node.expected("given an error that the call can have: \(call.errorCases.joined(separator: ", "))")
      }
      calls.append((call, behaviour))
    }
  }

  private mutating func readSettings(_ node: YAMLNode, besides others: [String] = []) throws(OptionError) {
    let switches: [String: @Sendable (inout OnsideSettings, Bool) -> Void] = [
      "failTransactions": { $0.failTransactionsEnabled = $1 }, "askToBuy": { $0.askToBuyEnabled = $1 },
      "interruptedPurchases": { $0.interruptedPurchasesEnabled = $1 }, "disableDialogs": { $0.disableDialogs = $1 },
      "billingGracePeriod": { $0.billingGracePeriodEnabled = $1 },
      "renewalBillingIssues": { $0.renewalBillingIssuesEnabled = $1 }, "localTesting": { $0.localTesting = $1 },
    ]
    let known = switches.keys + ["storefront", "locale", "timeRate", "refererUrl"]
    for (name, value) in try node.members(known: known + others) where !others.contains(name) {
      if let set = switches[name] {
        let isOn = try value.bool()
        changes.append { set(&$0, isOn) }
        continue
      }
      switch name {
      case "storefront":
        let country = try OnsideSection.country(value)
        changes.append { $0.storefront = country }
      case "timeRate":
        guard let rate = StoreKitTimeRate(rawValue: try value.integer(in: 0...Int(Int32.max))) else {
          throw value.expected(
            "one of the numbers of StoreKit's time rates, such as 0 (real time) or 6 (a day takes a second)")
        }
        changes.append { $0.timeRate = rate }
      case "refererUrl":
        let url = value.isNull ? nil : try value.text()
        changes.append { $0.refererURL = url }
      default:
        let locale = try value.text()
        changes.append { $0.locale = locale }
      }
    }
  }
}
