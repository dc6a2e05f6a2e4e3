/// An error that a `.storekit` file's `_storeKitErrors` switches on for one API.
public struct StoreKitSimulatedError: Sendable, Hashable {
  /// The API's name as the file has it, such as `Load Products` or `Purchase`.
  public let name: String
  /// The family of the error, such as `generic` or `purchase`; nil when the file does not say.
  public let type: String?
  /// The error's place in its family; nil when the file does not say.
  public let index: Int?
}
