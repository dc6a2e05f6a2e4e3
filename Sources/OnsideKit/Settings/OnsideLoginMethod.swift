/// A way to sign in, as the login sheet offers it.
public struct OnsideLoginMethod: Sendable, Hashable, Identifiable {
  /// Who vouches for the person.
  public enum Kind: String, Sendable {
    /// Another provider; hidden when local login methods are forced.
    case federated
    /// A code by SMS.
    case sms
    /// A code by e-mail.
    case email

    /// Whether the method stays when local login methods are forced.
    public var isLocal: Bool { self != .federated }
  }

  /// Identifies the method in the sheet's answer.
  public let id: String
  /// What the sheet calls it.
  public let label: String
  /// Who vouches for the person.
  public let kind: Kind

  /// Creates a method.
  public init(id: String, label: String, kind: Kind) {
    self.id = id
    self.label = label
    self.kind = kind
  }

  /// The methods of a session that configures none. The contract names kinds only.
  public static let standard = [
    OnsideLoginMethod(id: "apple", label: "Apple", kind: .federated),
    OnsideLoginMethod(id: "google", label: "Google", kind: .federated),
    OnsideLoginMethod(id: "sms", label: "SMS", kind: .sms),
    OnsideLoginMethod(id: "email", label: "E-mail", kind: .email),
  ]
}
