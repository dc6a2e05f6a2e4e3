import BridgeCore

/// The users of an app and what belongs to them, as a vendor's backend knows them: who is logged in, and whose a purchase is. A pure value,
/// stored with the session.
struct PresetCustomers: Hashable {
  /// The present user.
  private(set) var current: String
  /// The users that were seen, by their ids.
  private(set) var seen: [String: Seen]
  /// The user of each chain of orders, by its first order.
  private(set) var owners: [String: String]

  /// When a user was first seen.
  struct Seen: Hashable {
    /// The first id of the user.
    let original: String
    /// When that was, in milliseconds since the Unix epoch.
    let at: Double
    /// Whether the user has never logged in.
    let isAnonymous: Bool
  }

  /// The maximum number of users and of chains of orders.
  static let limit = 1000
  /// The maximum length of a user's id in bytes.
  static let longestID = 500

  /// The customers of an app that was just installed. `id` is random.
  init(anonymous id: String, at now: Double) {
    current = id
    seen = [id: Seen(original: id, at: now, isAnonymous: true)]
    owners = [:]
  }

  /// Whether the present user has logged in under no id.
  var isAnonymous: Bool { present.isAnonymous }

  /// The first id of the present user, and when it was first seen.
  var present: Seen { seen[current] ?? Seen(original: current, at: 0, isAnonymous: true) }

  /// Logs a user in. What an anonymous user has bought belongs to a user who is new.
  ///
  /// - Parameter first: The first id of a user who is new, and was not anonymous before; nil for `id`.
  /// - Returns: Whether the user is new.
  @discardableResult
  mutating func logIn(_ id: String, first: String? = nil, at now: Double) -> Bool {
    guard id != current else { return false }
    let isNew = seen[id] == nil
    if isNew {
      guard seen.count < Self.limit else { return false }
      let present = present
      seen[id] = Seen(
        original: present.isAnonymous ? present.original : first ?? id, at: present.isAnonymous ? present.at : now,
        isAnonymous: false)
    }
    // The backend merges an anonymous user into the one who logs in.
    if isAnonymous { for (order, owner) in owners where owner == current { owners[order] = id } }
    current = id
    return isNew
  }

  /// Logs the user out: the next one is anonymous and new. `id` is random.
  mutating func logOut(anonymous id: String, at now: Double) {
    current = id
    if seen.count < Self.limit { seen[id] = Seen(original: id, at: now, isAnonymous: true) }
  }

  /// The present user has bought, renewed or restored an order of this chain.
  mutating func own(_ chain: String) {
    if owners[chain] == nil, owners.count >= Self.limit { return }
    owners[chain] = current
  }

  /// Whether a chain of orders belongs to the present user.
  func isOwn(_ chain: String) -> Bool { owners[chain] == current }

  // MARK: In the store

  /// The customers as they are stored.
  var json: [String: JSONValue] {
    [
      "current": .string(current), "owners": .object(owners.mapValues { .string($0) }),
      "seen": .object(
        seen.mapValues {
          ["original": .string($0.original), "at": .number($0.at), "anonymous": .bool($0.isAnonymous)]
        }),
    ]
  }

  /// Reads stored customers; nil if there are none.
  init?(_ json: [String: JSONValue]) {
    guard let current = json["current"]?.stringValue else { return nil }
    self.current = current
    owners = (json["owners"]?.objectValue ?? [:]).compactMapValues(\.stringValue)
    seen = (json["seen"]?.objectValue ?? [:]).compactMapValues { value in
      guard let original = value["original"]?.stringValue, let at = value["at"]?.numberValue else { return nil }
      return Seen(original: original, at: at, isAnonymous: value["anonymous"] == true)
    }
  }
}
