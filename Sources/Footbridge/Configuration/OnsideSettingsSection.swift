import Onside

/// `onside.settings` and `onside.calls` of the YAML file: the settings with which sessions start.
struct OnsideSettingsSection: Sendable {
  private var changes: [@Sendable (inout OnsideSettings) -> Void] = []
  private var calls: [(call: OnsideCall, behaviour: OnsideCallBehaviour)] = []

  /// A section that changes nothing.
  init() {}

  /// Reads both.
  init(settings: YAMLNode?, calls: YAMLNode?) throws(OptionError) {
    if let settings { try readSettings(settings) }
    for (name, node) in try calls?.members() ?? [] {
      guard let call = OnsideCall(rawValue: name) else {
        throw node.expected("named by a call, one of: \(OnsideCall.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      let members = try node.section(["delay", "error", "once"])
      let behaviour = OnsideCallBehaviour(
        delayMilliseconds: try members["delay"]?.integer(in: 0...3_600_000) ?? 0,
        error: try members["error"]?.text(),
        once: try members["once"]?.bool() ?? false
      )
      var trial = OnsideSettings()
      do {
        try trial.set(behaviour, for: call)
      } catch {
        throw node.expected("given an error that the call can have: \(call.errorCases.joined(separator: ", "))")
      }
      self.calls.append((call, behaviour))
    }
  }

  /// Makes the changes.
  func apply(to settings: inout OnsideSettings) {
    for change in changes { change(&settings) }
    // Whether each call can have its error was seen when the section was read.
    for (call, behaviour) in calls { try? settings.set(behaviour, for: call) }
  }

  private mutating func readSettings(_ node: YAMLNode) throws(OptionError) {
    let switches: [String: @Sendable (inout OnsideSettings, Bool) -> Void] = [
      "failTransactions": { $0.failTransactionsEnabled = $1 }, "askToBuy": { $0.askToBuyEnabled = $1 },
      "interruptedPurchases": { $0.interruptedPurchasesEnabled = $1 }, "disableDialogs": { $0.disableDialogs = $1 },
      "billingGracePeriod": { $0.billingGracePeriodEnabled = $1 },
      "renewalBillingIssues": { $0.renewalBillingIssuesEnabled = $1 }, "localTesting": { $0.localTesting = $1 },
    ]
    for (name, value) in try node.members(known: switches.keys + ["storefront", "locale", "timeRate", "refererUrl"]) {
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
      default:
        let text = try value.text()
        changes.append { if name == "locale" { $0.locale = text } else { $0.refererURL = text } }
      }
    }
  }
}
