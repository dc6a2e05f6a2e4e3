/// The settings of a session: at first those of the `.storekit` file, changeable at run time.
public struct OnsideSettings: Sendable, Hashable, Codable {
  enum CodingKeys: String, CodingKey {
    case contract, failTransactionsEnabled, askToBuyEnabled, interruptedPurchasesEnabled, disableDialogs
    case billingGracePeriodEnabled, renewalBillingIssuesEnabled, timeRate, localTesting, storefront, locale, refererURL
    case calls
  }

  /// Which contract is played.
  public var contract = OnsideContract.docs
  /// Whether each payment fails after it was sent.
  public var failTransactionsEnabled = false
  /// Whether each payment waits, as `purchasing`, until someone approves or declines it.
  public var askToBuyEnabled = false
  /// Whether each payment, once sent, stays `purchasing` until someone resolves the interruption.
  public var interruptedPurchasesEnabled = false
  /// Whether payments go through without a sheet. A changed price still asks: it is never charged silently.
  public var disableDialogs = false
  /// Whether a subscription stays active while its renewal fails, for a sixteenth of its period. The contract gives no length.
  public var billingGracePeriodEnabled = false
  /// Whether subscriptions fail to renew.
  public var renewalBillingIssuesEnabled = false
  /// How fast subscriptions renew.
  public var timeRate = StoreKitTimeRate.realTime
  /// Whether calls that the contract names reject with `notSupportedInLocalTesting`.
  public var localTesting = false
  /// The system region, and the country of the built-in account: ISO 3166-1 alpha-2.
  public var storefront = "US"
  /// The locale of texts that the region's languages lack, such as `en_US`.
  public var locale = "en_US"
  /// The attribution's `refererUrl`, whatever page was visited first; nil leaves it to the first visit.
  public var refererURL: String?
  /// Delays and errors that a test has set for single calls.
  public private(set) var calls: [OnsideCall: OnsideCallBehaviour] = [:]

  /// Creates the settings of a session without a `.storekit` file.
  public init() {}

  /// Takes over the settings of a `.storekit` file.
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

  /// What was set for `call`, or the usual behaviour.
  public subscript(call: OnsideCall) -> OnsideCallBehaviour { calls[call] ?? OnsideCallBehaviour() }

  /// Sets what `call` does from now on; the usual behaviour clears it.
  ///
  /// - Throws: ``OnsideSettingsError/unknownErrorCase(_:call:)`` for an error that the call cannot have.
  public mutating func set(_ behaviour: OnsideCallBehaviour, for call: OnsideCall) throws(OnsideSettingsError) {
    if let error = behaviour.error, !call.errorCases.contains(error) {
      throw .unknownErrorCase(error, call: call)
    }
    calls[call] = behaviour.isUsual ? nil : behaviour
  }

  /// The error that `call` is to fail with now; one that comes once is cleared.
  mutating func takeError(of call: OnsideCall) -> String? {
    guard var behaviour = calls[call], let error = behaviour.error else { return nil }
    if behaviour.once {
      behaviour.error = nil
      calls[call] = behaviour.isUsual ? nil : behaviour
    }
    return error
  }
}

/// Which published contract is played.
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

  /// A sentence for people, with what would be right.
  public var description: String {
    switch self {
    case .unknownErrorCase(let name, let call):
      "\(call.rawValue) has no error \"\(name)\"; it has: \(call.errorCases.joined(separator: ", "))."
    }
  }
}
