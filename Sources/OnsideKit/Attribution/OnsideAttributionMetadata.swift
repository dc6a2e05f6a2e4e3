/// Where the install came from (bridge reference, "JSAttributionMetadata").
public struct OnsideAttributionMetadata: Sendable, Hashable {
  /// The full URL that brought the person to the install; nil when there is none, which is no error.
  public let refererURL: String?
}
