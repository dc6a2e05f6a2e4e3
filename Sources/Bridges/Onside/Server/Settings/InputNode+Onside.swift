import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTP1
import OnsideKit
import Sessions

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
      throw expected(public: "the id of an account, one of: \(accounts.joined(separator: ", "))", among: accounts)
    }
    return id
  }

  /// An ISO 3166 country code of two or three letters. Returns the two-letter code.
  func country() throws(OptionError) -> String {
    guard let territory = Territory(code: try text()) else {
      throw expected(public: "an ISO 3166 country code, such as ES")
    }
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
        let calls = OnsideCall.allCases.map(\.rawValue)
        throw OptionError(
          "\(node.place) must be named by a call, one of: \(calls.joined(separator: ", "))."
            + Spelling.suggestion(for: name, in: calls))
      }
      let behaviour = node.isNull ? OnsideCallBehaviour() : try node.behaviour(of: call)
      // The error was checked above.
      changes.add { try? $0.set(behaviour, for: call) }
    }
  }

  private func behaviour(of call: OnsideCall) throws(OptionError) -> OnsideCallBehaviour {
    typealias Field = OnsideCallBehaviour.Field
    let members = try section(Field.allCases.map(\.rawValue))
    let error = members[Field.error.rawValue]
    return OnsideCallBehaviour(
      delayMilliseconds: try members[Field.delay.rawValue]?.integer(in: OnsideCallBehaviour.delays) ?? 0,
      error: error?.isNull == true ? nil : try error?.error(of: call),
      once: try members[Field.once.rawValue]?.bool() ?? false
    )
  }
}

extension InputNode {
  /// An error about the name of an error that the call has in no contract.
  func expectedError(of call: OnsideCall) -> OptionError {
    expected(public: "one of: \(call.errorsInWords)", among: call.errorCases)
  }
}

extension InputNode {
  /// The name of an error that a call can have.
  fileprivate func error(of call: OnsideCall) throws(OptionError) -> String {
    let name = try text()
    guard call.errorCases.contains(name) else { throw expectedError(of: call) }
    return name
  }
}

extension OnsideSetting {
  /// Reads a value, and returns the change that sets it.
  ///
  /// - Throws: `OptionError` for a value that the setting cannot have.
  fileprivate func read(_ node: InputNode) throws(OptionError) -> @Sendable (inout OnsideSettings) -> Void {
    switch self {
    case .failTransactionsEnabled: try toggle(node, \.failTransactionsEnabled)
    case .askToBuyEnabled: try toggle(node, \.askToBuyEnabled)
    case .interruptedPurchasesEnabled: try toggle(node, \.interruptedPurchasesEnabled)
    case .disableDialogs: try toggle(node, \.disableDialogs)
    case .billingGracePeriodEnabled: try toggle(node, \.billingGracePeriodEnabled)
    case .renewalBillingIssuesEnabled: try toggle(node, \.renewalBillingIssuesEnabled)
    case .localTesting: try toggle(node, \.localTesting)
    case .timeRate: set(try timeRate(node), \.timeRate)
    case .gracePeriodSeconds: set(try seconds(node), \.gracePeriodSeconds)
    case .billingRetrySeconds: set(try seconds(node), \.billingRetrySeconds)
    case .storefront: set(try node.country(), \.storefront)
    case .locale: set(try locale(node), \.locale)
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

  private func locale(_ node: InputNode) throws(OptionError) -> String {
    let text = try node.text()
    // Such as en, en_US, es_419, zh-Hans_CN.
    guard text.wholeMatch(of: /[a-z]{2,3}([_-][A-Z][a-z]{3})?([_-]([A-Z]{2}|[0-9]{3}))?/) != nil else {
      throw node.expected(public: "a language, perhaps with its country: en_US")
    }
    return text
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

extension InputNode {
  /// The address for notifications to the publisher's backend: `{url, timeout?}`.
  func notificationSettings() throws(OptionError) -> NotificationSettings {
    let members = try section(["url", "timeout"])
    guard let url = members["url"] else { throw expected("an object with at least a url") }
    var settings = NotificationSettings(url: try url.addressOfBackend())
    if let timeout = members["timeout"] { settings.timeout = .seconds(try timeout.integer(in: 1...300)) }
    return settings
  }

  /// An https address, or an http address on this machine: a notification reveals a purchase.
  private func addressOfBackend() throws(OptionError) -> String {
    let text = try text()
    guard case .absolute(let scheme, let authority, _, _) = RequestTarget(text, method: .post),
      scheme.lowercased() == "https"
        || (scheme.lowercased() == "http" && authority.isLoopback)
    else {
      throw expected(
        "an https address, or an http address on this machine, such as http://localhost:3000/notifications")
    }
    return text
  }
}
