public import Foundation

/// The signed history of the account's purchases (purchasing guide, "Client-Side Transaction History").
public struct OnsideSignedInAppsHistory: Sendable, Hashable {
  /// The compact JWS as bytes.
  public let data: Data
  /// The same as text, when it is UTF-8.
  public var string: String? { String(data: data, encoding: .utf8) }
}
