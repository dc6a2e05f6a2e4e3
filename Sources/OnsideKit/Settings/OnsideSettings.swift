/// The settings of a session. They start as those of the `.storekit` file and can change at run time.
public struct OnsideSettings: Sendable, Hashable, Codable {
  enum CodingKeys: String, CodingKey {
    case contract, failTransactionsEnabled, askToBuyEnabled, interruptedPurchasesEnabled, disableDialogs
    case billingGracePeriodEnabled, renewalBillingIssuesEnabled, timeRate, localTesting, storefront, locale, refererURL
    case calls
  }

  /// The contract to simulate.
  public var contract = OnsideContract.docs
  /// Whether each payment fails after it was sent.
  public var failTransactionsEnabled = false
  /// Whether each payment waits, as `purchasing`, until someone approves or declines it.
  public var askToBuyEnabled = false
  /// Whether each payment, once sent, stays `purchasing` until someone resolves the interruption.
  public var interruptedPurchasesEnabled = false
  /// Whether payments go through without a sheet. A changed price still needs consent: it is never charged silently.
  public var disableDialogs = false
  /// Whether a subscription stays active while its renewal fails, for a sixteenth of its period. The contract gives no length.
  public var billingGracePeriodEnabled = false
  /// Whether subscriptions fail to renew.
  public var renewalBillingIssuesEnabled = false
  /// How fast subscriptions renew.
  public var timeRate = StoreKitTimeRate.realTime
  /// Whether the calls that the contract names reject with `notSupportedInLocalTesting`.
  public var localTesting = false
  /// The system region, and the country of the built-in account: ISO 3166-1 alpha-2.
  public var storefront = "US"
  /// The locale for texts that do not exist in the region's languages, such as `en_US`.
  public var locale = "en_US"
  /// The `refererUrl` of the attribution. Nil leaves it to the first visit.
  public var refererURL: String?
  /// The delays and errors that a test has set for calls.
  public private(set) var calls: [OnsideCall: OnsideCallBehaviour] = [:]

  /// Creates the settings of a session without a `.storekit` file.
  public init() {}

  /// Creates the settings of a `.storekit` file.
  public init(_ settings: StoreKitSettings) {
    failTransactionsEnabled = settings.failTransactionsEnabled
    askToBuyEnabled = settings.askToBuyEnabled
    interruptedPurchasesEnabled = settings.interruptedPurchasesEnabled
    disableDialogs = settings.disableDialogs
    billingGracePeriodEnabled = settings.billingGracePeriodEnabled
    renewalBillingIssuesEnabled = settings.renewalBillingIssuesEnabled
    timeRate = settings.timeRate
    if let territory = settings.storefront { storefront = territory.alpha2 }
    if let locale = settings.locale { self.locale = locale }
    for error in settings.errors {
      guard let (call, name) = error.onsideError else { continue }
      calls[call] = OnsideCallBehaviour(error: name)
    }
  }

  /// The behaviour that was set for `call`, or the usual one.
  public subscript(call: OnsideCall) -> OnsideCallBehaviour { calls[call] ?? OnsideCallBehaviour() }

  /// Sets the behaviour of `call`. The usual behaviour clears it.
  ///
  /// - Throws: ``OnsideSettingsError/unknownErrorCase(_:call:)`` for an error that the call cannot have.
  public mutating func set(_ behaviour: OnsideCallBehaviour, for call: OnsideCall) throws(OnsideSettingsError) {
    if let error = behaviour.error, !call.errorCases.contains(error) {
      throw .unknownErrorCase(error, call: call)
    }
    calls[call] = behaviour.isUsual ? nil : behaviour
  }

  /// The error that `call` must fail with now. An error that occurs once is cleared.
  mutating func takeError(of call: OnsideCall) -> String? {
    guard var behaviour = calls[call], let error = behaviour.error else { return nil }
    if behaviour.once {
      behaviour.error = nil
      calls[call] = behaviour.isUsual ? nil : behaviour
    }
    return error
  }
}

/// The contract to simulate.
public enum OnsideContract: String, Sendable, Codable, CaseIterable {
  /// The SDK documentation: the contract of record.
  case docs
  /// `onside.d.ts` as published with SDK 1.3.
  case version1_3 = "1.3"
}

/// Why a setting was refused.
public enum OnsideSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The call has no error of this name.
  case unknownErrorCase(String, call: OnsideCall)

  /// A sentence for people, with the valid values.
  public var description: String {
    switch self {
    case .unknownErrorCase(let name, let call):
      "\(call.rawValue) has no error \"\(name)\". Use one of: \(call.errorCases.joined(separator: ", "))."
    }
  }
}
