/// What belongs to the accounts of the store, and not to one device: the devices of a world have it in common.
public struct OnsideWorldState: Sendable, Hashable, Codable {
  /// The orders and subscriptions of all accounts.
  public var ledger: OnsideLedger
  /// The countries that accounts have moved to at run time, by account id.
  var movedAccounts: [String: String]
  /// How subscriptions renew.
  var renewals: OnsideRenewalSettings
}

/// The settings that decide how subscriptions renew. The store renews them once, whichever device looks.
struct OnsideRenewalSettings: Sendable, Hashable, Codable {
  var timeRate: StoreKitTimeRate
  var hasGracePeriod: Bool
  var hasBillingIssues: Bool
  var gracePeriodSeconds: Int?
  var billingRetrySeconds: Int?
}

/// The world that a session shares with others, as its state names it.
public struct OnsideWorldMark: Sendable, Hashable, Codable {
  /// The name of the world.
  public let name: String
  /// Changes with each change of the world's state. The store compares it with its own.
  public internal(set) var version: String

  /// Creates the mark of a world.
  public init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}

extension OnsideSettings {
  /// The settings that the devices of a world have in common.
  var renewals: OnsideRenewalSettings {
    get {
      OnsideRenewalSettings(
        timeRate: timeRate, hasGracePeriod: billingGracePeriodEnabled, hasBillingIssues: renewalBillingIssuesEnabled,
        gracePeriodSeconds: gracePeriodSeconds, billingRetrySeconds: billingRetrySeconds)
    }
    set {
      timeRate = newValue.timeRate
      billingGracePeriodEnabled = newValue.hasGracePeriod
      renewalBillingIssuesEnabled = newValue.hasBillingIssues
      gracePeriodSeconds = newValue.gracePeriodSeconds
      billingRetrySeconds = newValue.billingRetrySeconds
    }
  }
}

extension OnsideState {
  /// What the devices of the session's world have in common.
  public var common: OnsideWorldState {
    get { OnsideWorldState(ledger: ledger, movedAccounts: movedAccounts, renewals: settings.renewals) }
    set {
      ledger = newValue.ledger
      movedAccounts = newValue.movedAccounts
      if settings.renewals != newValue.renewals { settings.renewals = newValue.renewals }
    }
  }

  /// The state of a new session in a world that exists. The store adds the world's orders.
  ///
  /// - Parameter name: The name of the world; nil for a world of the session's own.
  public func joining(world name: String?) -> OnsideState {
    var state = self
    state.world = name.map { OnsideWorldMark(name: $0, version: "") }
    return state
  }

  /// The state as a member of a world whose values it already has.
  public func joining(_ world: OnsideWorldMark) -> OnsideState {
    var state = self
    state.world = world
    return state
  }

  /// The state of another device of the accounts, on which the app was just installed.
  public var ofNewDevice: OnsideState {
    var device = OnsideState(settings: settings)
    device.common = common
    device.world = world
    return device
  }

  /// The state after the app was deleted and installed anew. What belongs to the accounts stays, and so do the settings that a test has
  /// made: they are the store's, not the app's.
  public var reinstalled: OnsideState { ofNewDevice }

  /// The state after a reset to that of a new session. Values of a world that it shares with other devices stay, since they belong to those
  /// as well.
  public func reset(to new: OnsideState) -> OnsideState {
    guard world != nil else {
      var state = new
      state.world = nil
      return state
    }
    var state = new
    state.common = common
    state.world = world
    return state
  }
}
