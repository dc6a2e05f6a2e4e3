public import Essentials

/// The settings of a session. They start as those of the `.storekit` file and can change at run time.
public struct OnsideSettings: Sendable, Hashable, Codable {
  enum CodingKeys: String, CodingKey {
    case contract, failTransactionsEnabled, askToBuyEnabled, interruptedPurchasesEnabled, disableDialogs
    case billingGracePeriodEnabled, renewalBillingIssuesEnabled, timeRate, localTesting, storefront, locale, refererURL
    case calls, gracePeriodSeconds, billingRetrySeconds
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
  /// Whether a subscription stays active for a while after its renewal fails.
  public var billingGracePeriodEnabled = false
  /// Whether subscriptions fail to renew.
  public var renewalBillingIssuesEnabled = false
  /// How fast subscriptions renew.
  public var timeRate = StoreKitTimeRate.realTime
  /// The length of the grace period in seconds; nil for that of the time rate.
  public var gracePeriodSeconds: Int?
  /// How long the store tries to charge a failed renewal, in seconds; nil for that of the time rate.
  public var billingRetrySeconds: Int?
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

  /// The lengths that a grace period and a billing retry can have, in seconds: at most 1000 days.
  public static let billingLengths = 0...86_400_000

  /// How long a subscription with this period stays active after a failed renewal, in milliseconds. An unknown period counts as a month.
  func gracePeriod(of period: OnsidePeriod?) -> Double {
    guard billingGracePeriodEnabled else { return 0 }
    return 1000 * (gracePeriodSeconds.map(Double.init) ?? timeRate.gracePeriod(of: period ?? .month(1)))
  }

  /// How long the store tries to charge a failed renewal, in milliseconds.
  var billingRetryPeriod: Double { 1000 * (billingRetrySeconds.map(Double.init) ?? timeRate.billingRetryPeriod) }

  /// Sets the behaviour of `call`. The usual behaviour clears it.
  ///
  /// - Throws: ``OnsideSettingsError/unknownErrorCase(_:call:)`` for an error that the call cannot have.
  public mutating func set(_ behaviour: OnsideCallBehaviour, for call: OnsideCall) throws(OnsideSettingsError) {
    if let error = behaviour.error, !call.errorCases.contains(error) {
      throw .unknownErrorCase(error, call: call)
    }
    calls[call] = behaviour.isUsual ? nil : behaviour
  }

  /// Checks that the contract has each error that is set for a call.
  ///
  /// - Throws: ``OnsideSettingsError/errorOfAnotherContract(_:call:contract:)``.
  package func checkErrors() throws(OnsideSettingsError) {
    for call in OnsideCall.allCases {
      if let error = calls[call]?.error { try contract.check(error, of: call) }
    }
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

  /// Checks that a call can have an error in this contract.
  ///
  /// - Throws: ``OnsideSettingsError/errorOfAnotherContract(_:call:contract:)``.
  package func check(_ error: String, of call: OnsideCall) throws(OnsideSettingsError) {
    guard call.errorCases(in: self).contains(error) else {
      throw .errorOfAnotherContract(error, call: call, contract: self)
    }
  }
}

/// Why a setting was refused.
public enum OnsideSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The call has no error of this name.
  case unknownErrorCase(String, call: OnsideCall)
  /// The call has the error in another contract only.
  case errorOfAnotherContract(String, call: OnsideCall, contract: OnsideContract)

  /// A sentence for people, with the valid values.
  public var description: String {
    switch self {
    case .unknownErrorCase(let name, let call):
      "\(call.rawValue) has no error \"\(name)\". Use one of: \(call.errorsInWords)."
    case .errorOfAnotherContract(let name, let call, let contract):
      "\(call.rawValue) has no error \"\(name)\" in contract \(contract.rawValue). "
        + Self.remedy(call.errorCases(in: contract), instead: contract)
    }
  }
}

extension OnsideSettingsError {
  private static func remedy(_ cases: [String], instead contract: OnsideContract) -> String {
    let others = OnsideContract.allCases.filter { $0 != contract }.map(\.rawValue).joined(separator: ", ")
    let change = "set onsideContract to \(others)"
    return cases.isEmpty
      ? "There it has none; \(change)." : "Use one of: \(cases.joined(separator: ", ")); or \(change)."
  }
}

extension OnsideSettings {
  /// Decodes settings. What an older store lacks gets its default.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
      value = try container.decodeIfPresent(Value.self, forKey: key) ?? value
    }
    try read(.contract, &contract)
    try read(.failTransactionsEnabled, &failTransactionsEnabled)
    try read(.askToBuyEnabled, &askToBuyEnabled)
    try read(.interruptedPurchasesEnabled, &interruptedPurchasesEnabled)
    try read(.disableDialogs, &disableDialogs)
    try read(.billingGracePeriodEnabled, &billingGracePeriodEnabled)
    try read(.renewalBillingIssuesEnabled, &renewalBillingIssuesEnabled)
    try read(.timeRate, &timeRate)
    gracePeriodSeconds = try container.decodeIfPresent(Int.self, forKey: .gracePeriodSeconds)
    billingRetrySeconds = try container.decodeIfPresent(Int.self, forKey: .billingRetrySeconds)
    try read(.localTesting, &localTesting)
    try read(.storefront, &storefront)
    try read(.locale, &locale)
    refererURL = try container.decodeIfPresent(String.self, forKey: .refererURL)
    for (call, behaviour) in try container.decodeIfPresent([OnsideCall: OnsideCallBehaviour].self, forKey: .calls)
      ?? [:]
    {
      do { try set(behaviour, for: call) } catch {
        throw DecodingError.dataCorruptedError(forKey: .calls, in: container, debugDescription: "\(error)")
      }
    }
  }
}

/// A way to sign in, as the login sheet offers it.
public struct OnsideLoginMethod: Sendable, Hashable, Identifiable {
  /// How the person proves their identity.
  public enum Kind: String, Sendable, CaseIterable {
    /// With another provider. Hidden if only local login methods are allowed.
    case federated
    /// With a code by SMS.
    case sms
    /// With a code by e-mail.
    case email

    /// Whether the method is shown if only local login methods are allowed.
    public var isLocal: Bool { self != .federated }
  }

  /// Identifies the method in the sheet's answer.
  public let id: String
  /// The text in the sheet.
  public let label: String
  /// How the person proves their identity.
  public let kind: Kind

  /// Creates a method.
  public init(id: String, label: String, kind: Kind) {
    self.id = id
    self.label = label
    self.kind = kind
  }

  /// The default methods. The contract names only the kinds.
  public static let standard = [
    OnsideLoginMethod(id: "apple", label: "Apple", kind: .federated),
    OnsideLoginMethod(id: "google", label: "Google", kind: .federated),
    OnsideLoginMethod(id: "sms", label: "SMS", kind: .sms),
    OnsideLoginMethod(id: "email", label: "E-mail", kind: .email),
  ]
}

/// A way to pay, as the payment-methods sheet lists it.
public struct OnsidePaymentMethod: Sendable, Hashable, Identifiable {
  /// Identifies the method.
  public let id: String
  /// The text in the sheet, such as `Visa •••• 4242`.
  public let label: String

  /// Creates a method.
  public init(id: String, label: String) {
    self.id = id
    self.label = label
  }

  /// The default methods.
  public static let standard = [OnsidePaymentMethod(id: "card", label: "Visa •••• 4242")]
}

/// The terms of a product that differ in one country.
public struct OnsideRegionalTerms: Sendable, Hashable {
  /// Whether the product is sold there.
  public var isAvailable: Bool
  /// The price in major units; nil uses the catalogue's number.
  public var price: Decimal?
  /// The ISO 4217 code; nil uses the country's currency.
  public var currencyCode: String?

  /// Creates terms. Without arguments, they change nothing.
  public init(isAvailable: Bool = true, price: Decimal? = nil, currencyCode: String? = nil) {
    self.isAvailable = isAvailable
    self.price = price
    self.currencyCode = currencyCode
  }
}
