import BridgeRuntime
import HTTP1
import WebServer

/// The proxies in front of the server whose word counts (`--trusted-proxy`): how a client has made its request, only they know.
struct TrustedProxies: Sendable {
  private let ranges: [AddressRange]

  /// Reads the values of `--trusted-proxy`. Throws ``FootbridgeError/trustedProxyInvalid(_:)``.
  init(_ values: [String]) throws(FootbridgeError) {
    var ranges: [AddressRange] = []
    for value in values {
      guard let range = AddressRange(value) else { throw .trustedProxyInvalid(value) }
      ranges.append(range)
    }
    self.ranges = ranges
  }

  /// Makes the request of an exchange the one that the client in front of the proxies has made.
  ///
  /// - Throws: ``ForwardedDefect``, or `MessageDefect`, when what the nearest proxy says makes no sense.
  @BridgeActor
  func restoreOriginal(of exchange: HTTPExchange) throws {
    if ranges.isEmpty { return }
    if let original = try original(of: exchange.head, from: exchange.peerAddress) { try exchange.passesFor(original) }
  }

  /// A request as the client in front of the proxies has made it; nil when it comes from no trusted proxy, or that says nothing.
  ///
  /// Of several proxies in a row each adds what it has seen. Their words count as far as they are trusted, from the nearest on.
  ///
  /// - Throws: ``ForwardedDefect`` when what the nearest proxy says makes no sense.
  func original(of head: RequestHead, from peer: String?) throws(ForwardedDefect) -> ForwardedRequest? {
    guard let peer, isTrusted(peer) else { return nil }
    guard let standard = ForwardedHop.hops(of: head.fields) else { throw .malformed }
    let older = try request(by: ForwardedHop.hops(ofOlderFields: head.fields))
    let newer = try request(by: standard)
    // A proxy that writes one form, and passes on what a client has sent of the other, would let the client choose.
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
  /// Whether nothing is different of what both say.
  fileprivate func agrees(with other: ForwardedRequest) -> Bool {
    func agree<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool { one == nil || other == nil || one == other }
    return agree(isSecure, other.isSecure) && agree(address, other.address)
      && agree(authority?.rawValue.lowercased(), other.authority?.rawValue.lowercased())
  }
}

/// What is wrong with the word of a trusted proxy.
enum ForwardedDefect: Error, Hashable, CustomStringConvertible {
  case host(String)
  case scheme(String)
  case malformed
  case contradiction

  var description: String {
    switch self {
    case .host(let text): "The trusted proxy says that the request is for \(text), which is no host."
    case .scheme(let text): "The trusted proxy says that the scheme is \(text). It must be http or https."
    case .malformed: "The field Forwarded is malformed (RFC 7239)."
    case .contradiction:
      "Forwarded and the X-Forwarded fields contradict each other. The trusted proxy must write both, or remove those that it does not write."
    }
  }
}
