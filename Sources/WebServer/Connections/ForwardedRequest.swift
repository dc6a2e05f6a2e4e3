public import HTTP1

/// How a client has made a request that a proxy has passed on, as far as the proxy says it.
public struct ForwardedRequest: Sendable, Hashable {
  /// Whether the client's connection uses TLS; nil if it is not said.
  public var isSecure: Bool?
  /// The host that the request is for; nil for that of the request itself.
  public var authority: Authority?
  /// The client's IP address without the port; nil if it is not known.
  public var address: String?
  /// Whether the proxy does not tell the client's address.
  public var isAddressHidden = false

  /// Nothing is known.
  public init() {}
}
