import BridgeCore

/// The users of an app in Qonversion's backend, what belongs to them, and their properties. A pure value, stored with the session.
struct QonversionUsers: Hashable {
  /// The users, and whose a purchase is.
  private(set) var customers: PresetCustomers
  private var properties: [String: [String: JSONValue]]

  /// The maximum number of properties of a user, and the maximum length of one in bytes.
  private static let (mostProperties, longestProperty) = (100, 4096)

  /// The users of an app that was just installed. `id` is random.
  init(first id: String, at now: Double) {
    customers = PresetCustomers(anonymous: Self.prefix + id, at: now)
    properties = [:]
  }

  private static let prefix = "QON_"

  /// The present user.
  var json: JSONValue {
    var members: [String: JSONValue] = ["qonversionId": .string(customers.present.original)]
    members["identityId"] = customers.isAnonymous ? nil : .string(customers.current)
    return .object(members)
  }

  /// Identifies the user. `id` is random, for a user who may be new.
  mutating func identify(_ user: String, new id: String, at now: Double) throws(QonversionError) {
    guard !user.isEmpty, user.utf8.count <= PresetCustomers.longestID else {
      throw QonversionError("InvalidClientUid", "The id of the user is empty or too long.")
    }
    customers.logIn(user, first: Self.prefix + id, at: now)
  }

  /// Logs the user out. `id` is random, for a new user.
  mutating func logOut(new id: String, at now: Double) {
    if !customers.isAnonymous { customers.logOut(anonymous: Self.prefix + id, at: now) }
  }

  /// The present user has bought, renewed or restored an order of this chain.
  mutating func own(_ chain: String) { customers.own(chain) }

  /// Sets a property of the present user. One that is too long, or too many of them, are left out.
  mutating func set(_ key: String, _ value: String) {
    var own = properties[customers.current] ?? [:]
    guard key.utf8.count + value.utf8.count <= Self.longestProperty, own[key] != nil || own.count < Self.mostProperties
    else { return }
    own[key] = .string(value)
    properties[customers.current] = own
  }

  /// The properties of the present user, in the order of their keys.
  var ownProperties: [JSONValue] {
    (properties[customers.current] ?? [:]).sorted { $0.key < $1.key }
      .map { ["key": .string($0.key), "value": $0.value] }
  }

  // MARK: In the store

  /// The users as they are stored.
  var stored: [String: JSONValue] {
    customers.json.merging(["properties": .object(properties.mapValues { .object($0) })]) { first, _ in first }
  }

  /// Reads stored users; nil if there are none.
  init?(_ stored: [String: JSONValue]) {
    guard let customers = PresetCustomers(stored) else { return nil }
    self.customers = customers
    properties = (stored["properties"]?.objectValue ?? [:]).compactMapValues(\.objectValue)
  }
}
