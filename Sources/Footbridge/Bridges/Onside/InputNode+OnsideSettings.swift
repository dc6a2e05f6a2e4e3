import OnsideKit

/// The store's settings in `footbridge.yaml` and the control API.
extension InputNode {
  /// Reads settings. In the control API `calls` is one of them; in `footbridge.yaml` it is a section.
  func onsideSettings(withCalls hasCalls: Bool) throws(OptionError) -> OnsideSettingsChanges {
    var changes = OnsideSettingsChanges()
    let calls = OnsideCallBehaviour.settingsName
    for (name, value) in try members(known: OnsideSetting.allCases.map(\.rawValue) + (hasCalls ? [calls] : [])) {
      if let setting = OnsideSetting(rawValue: name) {
        changes.add(try setting.read(value))
      } else {
        try value.readOnsideCalls(into: &changes)
      }
    }
    return changes
  }

  /// Reads the behaviour of calls by their names: `{delay?, error?, once?}`, or `null` for the usual behaviour.
  func readOnsideCalls(into changes: inout OnsideSettingsChanges) throws(OptionError) {
    for (name, node) in try members() {
      guard let call = OnsideCall(rawValue: name) else {
        throw node.expected("named by a call, one of: \(OnsideCall.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      let behaviour = node.isNull ? OnsideCallBehaviour() : try node.onsideCallBehaviour()
      if let error = behaviour.error, !call.errorCases.contains(error) {
        throw node.expected("given an error that the call can have: \(call.errorCases.joined(separator: ", "))")
      }
      // The error was checked above.
      changes.add { try? $0.set(behaviour, for: call) }
    }
  }

  private func onsideCallBehaviour() throws(OptionError) -> OnsideCallBehaviour {
    typealias Field = OnsideCallBehaviour.Field
    let members = try section(Field.allCases.map(\.rawValue))
    let error = members[Field.error.rawValue]
    return OnsideCallBehaviour(
      delayMilliseconds: try members[Field.delay.rawValue]?.integer(in: OnsideCallBehaviour.delays) ?? 0,
      error: error?.isNull == true ? nil : try error?.text(),
      once: try members[Field.once.rawValue]?.bool() ?? false
    )
  }
}

extension OnsideSetting {
  /// Reads a value, and returns the change that sets it.
  ///
  /// - Throws: `OptionError` for a value that the setting cannot have.
  fileprivate func read(_ node: InputNode) throws(OptionError) -> @Sendable (inout OnsideSettings) -> Void {
    switch self {
    case .failTransactions: try toggle(node, \.failTransactionsEnabled)
    case .askToBuy: try toggle(node, \.askToBuyEnabled)
    case .interruptedPurchases: try toggle(node, \.interruptedPurchasesEnabled)
    case .disableDialogs: try toggle(node, \.disableDialogs)
    case .billingGracePeriod: try toggle(node, \.billingGracePeriodEnabled)
    case .renewalBillingIssues: try toggle(node, \.renewalBillingIssuesEnabled)
    case .localTesting: try toggle(node, \.localTesting)
    case .timeRate: set(try timeRate(node), \.timeRate)
    case .gracePeriodSeconds: set(try seconds(node), \.gracePeriodSeconds)
    case .billingRetrySeconds: set(try seconds(node), \.billingRetrySeconds)
    case .storefront: set(try node.country(), \.storefront)
    case .locale: set(try node.text(), \.locale)
    case .refererUrl: set(node.isNull ? nil : try node.text(), \.refererURL)
    }
  }

  private func toggle(
    _ node: InputNode, _ path: any WritableKeyPath<OnsideSettings, Bool> & Sendable
  ) throws(OptionError) -> @Sendable (inout OnsideSettings) -> Void {
    set(try node.bool(), path)
  }

  private func set<Value: Sendable>(
    _ value: Value, _ path: any WritableKeyPath<OnsideSettings, Value> & Sendable
  ) -> @Sendable (inout OnsideSettings) -> Void {
    { $0[keyPath: path] = value }
  }

  private func seconds(_ node: InputNode) throws(OptionError) -> Int? {
    node.isNull ? nil : try node.integer(in: OnsideSettings.billingLengths)
  }

  private func timeRate(_ node: InputNode) throws(OptionError) -> StoreKitTimeRate {
    guard let rate = StoreKitTimeRate(rawValue: try node.integer(in: 0...Int(Int32.max))) else {
      throw node.expected(
        "one of the numbers of StoreKit's time rates, such as 0 (real time) or 6 (a day takes a second)")
    }
    return rate
  }
}
