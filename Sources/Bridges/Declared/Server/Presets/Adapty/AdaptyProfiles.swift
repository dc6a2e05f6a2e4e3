import BridgeCore

/// The profiles of an app in Adapty's backend: the users and their attributes. A pure value, stored with the session.
struct AdaptyProfiles: Hashable {
  private var customers: PresetCustomers
  private var attributes: [String: [String: JSONValue]]

  /// The limits of the SDK (`AdaptyProfileParameters.Builder`).
  private static let (mostAttributes, longestKey, longestText) = (30, 30, 50)

  /// The profiles of an app that was just installed. `id` is random.
  init(first id: String, at now: Double) {
    customers = PresetCustomers(anonymous: id, at: now)
    attributes = [:]
  }

  /// The id of the present profile.
  var id: String { customers.present.original }

  /// The present user's id in the app; nil if nobody is identified.
  var customerUserID: String? { customers.isAnonymous ? nil : customers.current }

  /// The attributes of the present profile.
  var ownAttributes: [String: JSONValue] { attributes[id] ?? [:] }

  /// Identifies the user. `id` is random, for a profile that may be new.
  mutating func identify(_ user: String, new id: String, at now: Double) throws(AdaptyError) {
    guard !user.isEmpty, user.utf8.count <= PresetCustomers.longestID else {
      throw .wrongParameter("The customer user id is empty or too long.")
    }
    customers.logIn(user, first: id, at: now)
  }

  /// Logs the user out. `id` is random, for a new profile.
  mutating func logOut(new id: String, at now: Double) { customers.logOut(anonymous: id, at: now) }

  /// Sets attributes of the present profile; null removes one.
  mutating func set(_ changes: [String: JSONValue]) throws(AdaptyError) {
    var own = ownAttributes
    for (key, value) in changes {
      guard key.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil, key.count <= Self.longestKey else {
        throw .wrongParameter(
          "The name of an attribute must have at most \(Self.longestKey) letters, digits, dashes, points and underscores."
        )
      }
      switch value {
      case .null: own[key] = nil
      case .string(let text) where !text.isEmpty && text.count <= Self.longestText: own[key] = value
      case .number: own[key] = value
      default:
        throw .wrongParameter("An attribute must be a number, or a text of 1 to \(Self.longestText) characters.")
      }
    }
    guard own.count <= Self.mostAttributes else {
      throw .wrongParameter("A profile has at most \(Self.mostAttributes) attributes.")
    }
    attributes[id] = own.isEmpty ? nil : own
  }

  // MARK: In the store

  /// The profiles as they are stored.
  var json: [String: JSONValue] {
    customers.json.merging(["attributes": .object(attributes.mapValues { .object($0) })]) { first, _ in first }
  }

  /// Reads stored profiles; nil if there are none.
  init?(_ json: [String: JSONValue]) {
    guard let customers = PresetCustomers(json) else { return nil }
    self.customers = customers
    attributes = (json["attributes"]?.objectValue ?? [:]).compactMapValues(\.objectValue)
  }
}
