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
