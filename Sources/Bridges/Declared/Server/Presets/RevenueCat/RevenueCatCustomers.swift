import BridgeCore

/// The users of an app and what belongs to them, as RevenueCat's backend knows them: who is logged in, and whose a purchase is. A pure value,
/// stored with the session.
struct RevenueCatCustomers: Hashable {
  /// The present user.
  private(set) var current: String
  /// The id under which a user was first seen, and when, in milliseconds since the Unix epoch.
  private(set) var seen: [String: Seen]
  /// The user of each chain of orders, by its first order.
  private(set) var owners: [String: String]

  /// When a user was first seen.
  struct Seen: Hashable {
    /// The first id of the user.
    let original: String
    let at: Double
  }

  /// The maximum number of users and of chains of orders.
  static let limit = 1000
  /// The maximum length of a user's id in bytes.
  static let longestID = 500

  private static let anonymousPrefix = "$RCAnonymousID:"

  /// The customers of an app that was just installed. `id` is random.
  init(anonymous id: String, at now: Double) {
    current = Self.anonymousPrefix + id
    seen = [current: Seen(original: current, at: now)]
    owners = [:]
  }

  /// Whether the present user has logged in under no id.
  var isAnonymous: Bool { current.hasPrefix(Self.anonymousPrefix) }

  /// The first id of the present user, and when it was first seen.
  var present: Seen { seen[current] ?? Seen(original: current, at: 0) }

  /// Logs a user in. What an anonymous user has bought belongs to a user who is new.
  ///
  /// - Returns: Whether the user is new.
  mutating func logIn(_ id: String, at now: Double) -> Bool {
    guard id != current else { return false }
    let isNew = seen[id] == nil
    if isNew {
      guard seen.count < Self.limit else { return false }
      seen[id] = Seen(original: isAnonymous ? present.original : id, at: isAnonymous ? present.at : now)
    }
    // The backend merges an anonymous user into the one who logs in.
    if isAnonymous { for (order, owner) in owners where owner == current { owners[order] = id } }
    current = id
    return isNew
  }

  /// Logs the user out: the next one is anonymous and new. `id` is random.
  mutating func logOut(anonymous id: String, at now: Double) {
    current = Self.anonymousPrefix + id
    if seen.count < Self.limit { seen[current] = Seen(original: current, at: now) }
  }

  /// The present user has bought, renewed or restored an order of this chain.
  mutating func own(_ chain: String) {
    if owners[chain] == nil, owners.count >= Self.limit { return }
    owners[chain] = current
  }

  /// Whether a chain of orders belongs to the present user.
  func isOwn(_ chain: String) -> Bool { owners[chain] == current }

  /// Whether nobody has the chain.
  func isNobodys(_ chain: String) -> Bool { owners[chain] == nil }

  // MARK: In the store

  /// The customers as they are stored.
  var json: [String: JSONValue] {
    [
      "current": .string(current), "owners": .object(owners.mapValues { .string($0) }),
      "seen": .object(seen.mapValues { ["original": .string($0.original), "at": .number($0.at)] }),
    ]
  }

  /// Reads stored customers; nil if there are none.
  init?(_ json: [String: JSONValue]) {
    guard let current = json["current"]?.stringValue else { return nil }
    self.current = current
    owners = (json["owners"]?.objectValue ?? [:]).compactMapValues(\.stringValue)
    seen = (json["seen"]?.objectValue ?? [:]).compactMapValues { value in
      guard let original = value["original"]?.stringValue, let at = value["at"]?.numberValue else { return nil }
      return Seen(original: original, at: at)
    }
  }
}
