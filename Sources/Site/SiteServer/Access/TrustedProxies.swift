import BridgeRuntime
import HTTP1
package import WebServer

/// The trusted proxies in front of the server (`--trusted-proxy`). The server takes the client's address, host and scheme from their
/// fields.
public struct TrustedProxies: Sendable {
  private let ranges: [AddressRange]

  /// Trusts no proxy.
  public init() { ranges = [] }

  /// Reads the values of `--trusted-proxy`. Throws ``SiteError/trustedProxyInvalid(_:)``.
  public init(_ values: [String]) throws(SiteError) {
    var ranges: [AddressRange] = []
    for value in values {
      guard let range = AddressRange(value) else { throw .trustedProxyInvalid(value) }
      ranges.append(range)
    }
    self.ranges = ranges
  }

  /// Restores the client's request: its address, host and scheme as they were in front of the proxies.
  ///
  /// - Throws: ``ForwardedDefect`` or `MessageDefect` if the fields of the nearest proxy are wrong.
  @BridgeActor
  package func restoreOriginal(of exchange: HTTPExchange) throws {
    if ranges.isEmpty { return }
    guard let original = try original(of: exchange.head, from: exchange.peerAddress) else { return }
    try exchange.applyForwarded(original)
  }

  /// The request as the client in front of the proxies has sent it. Nil if it does not come from a trusted proxy, or if the proxy adds no
  /// fields.
  ///
  /// Each of several proxies in a row adds its client. The server goes back from the nearest proxy as long as the proxies are trusted.
  ///
  /// - Throws: ``ForwardedDefect`` if the fields of the nearest proxy are wrong.
  func original(of head: RequestHead, from peer: String?) throws(ForwardedDefect) -> ForwardedRequest? {
    guard let peer, isTrusted(peer) else { return nil }
    guard let standard = ForwardedHop.hops(of: head.fields) else { throw .malformed }
    let older = try request(by: ForwardedHop.hops(ofOlderFields: head.fields))
    let newer = try request(by: standard)
    // A proxy may write one form and pass on a client's fields of the other form. The client could then forge its address.
    if let older, let newer, !older.agrees(with: newer) { throw .contradiction }
    guard var request = older ?? newer else { return nil }
    if request.address == nil, !request.isAddressHidden { request.address = peer }
    return request
  }

  private func isTrusted(_ address: String) -> Bool { ranges.contains { $0.contains(address) } }

  private func request(by hops: [ForwardedHop]) throws(ForwardedDefect) -> ForwardedRequest? {
    guard var seen = hops.last else { return nil }
    for hop in hops.dropLast().reversed() {
      guard let address = seen.node.flatMap({ AddressRange.address(ofNode: $0) }), isTrusted(address) else { break }
      seen = ForwardedHop(node: hop.node, host: hop.host ?? seen.host, scheme: hop.scheme ?? seen.scheme)
    }
    var request = ForwardedRequest()
    if let node = seen.node {
      request.address = AddressRange.address(ofNode: node)
      request.isAddressHidden = request.address == nil
    }
    if let host = seen.host {
      guard let authority = Authority(host) else { throw .host(host) }
      request.authority = authority
    }
    switch seen.scheme?.lowercased() {
    case nil: break
    case "http", "ws": request.isSecure = false
    case "https", "wss": request.isSecure = true
    case let scheme?: throw .scheme(scheme)
    }
    return request
  }
}

extension ForwardedRequest {
  /// Whether both agree in all parts that both have.
  fileprivate func agrees(with other: ForwardedRequest) -> Bool {
    func agree<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool { one == nil || other == nil || one == other }
    return agree(isSecure, other.isSecure) && agree(address, other.address)
      && agree(authority?.rawValue.lowercased(), other.authority?.rawValue.lowercased())
  }
}

/// The errors in the fields of a trusted proxy.
enum ForwardedDefect: Error, Hashable, CustomStringConvertible {
  case host(String)
  case scheme(String)
  case malformed
  case contradiction

  var description: String {
    switch self {
    case .host(let text): "The trusted proxy says that the request is for \(text), which is not a host."
    case .scheme(let text): "The trusted proxy says that the scheme is \(text). It must be http or https."
    case .malformed: "The field Forwarded is malformed (RFC 7239)."
    case .contradiction:
      "Forwarded and the X-Forwarded fields contradict each other. The trusted proxy must write both, or remove those that it does not write."
    }
  }
}
