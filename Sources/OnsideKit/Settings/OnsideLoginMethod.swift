/// A way to sign in, as the login sheet offers it.
public struct OnsideLoginMethod: Sendable, Hashable, Identifiable {
  /// How the person proves their identity.
  public enum Kind: String, Sendable {
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
