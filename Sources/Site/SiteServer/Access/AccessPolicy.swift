import BridgeServer
package import HTTP1
package import HTTPTypes

/// Decides which requests the server accepts. Their host and port must be its own (against DNS rebinding). A request with which a page
/// could do harm must come from a page of this server (against forgery by other pages).
package struct AccessPolicy: Sendable {
  /// The error for a page of another origin.
  package static let refusal = "Pages of this origin may not use this server. Allow the origin with --allow-origin."

  private let ownHost: String
  private let isOnAllAddresses: Bool
  private let allowedHosts: [AllowedHost]
  private let allowedOrigins: Set<HTTPOrigin>
  private var plainPorts: [Int] = []
  private var securePorts: [Int] = []

  /// Creates the policy of a server that does not listen yet.
  ///
  /// - Parameters:
  ///   - host: The address that it will listen on (`--host`).
  ///   - siteOrigin: The origin of the site in production (`--site-origin`).
  ///   - hosts: Its other names (`--allow-host`).
  ///   - origins: The other origins whose pages may use it (`--allow-origin`).
  package init(host: String, siteOrigin: HTTPOrigin?, hosts: [AllowedHost], origins: [HTTPOrigin]) {
    let host = host.lowercased()
    ownHost = host.contains(":") ? "[\(host)]" : host
    isOnAllAddresses = ListenAddress.isEvery(host)
    let site = siteOrigin.map { [AllowedHost(name: $0.host), AllowedHost(name: $0.host, port: $0.port)] }
    allowedHosts = hosts + (site ?? [])
    allowedOrigins = Set(origins)
  }

  /// Whether only this machine can reach the server.
  package var isLoopbackOnly: Bool { Authority(ownHost)?.isLoopback ?? false }

  /// Adds a port that the server listens on.
  package mutating func listens(on port: Int, isSecure: Bool) {
    if isSecure { securePorts.append(port) } else { plainPorts.append(port) }
  }

  /// A host that requests on a connection of this kind can name, with its port unless that is the default.
  package func usualHost(isSecure: Bool) -> String {
    let name = isLoopbackOnly || isOnAllAddresses ? "localhost" : ownHost
    guard let port = (isSecure ? securePorts : plainPorts).first, port != (isSecure ? 443 : 80) else { return name }
    return "\(name):\(port)"
  }

  /// Whether a request on a connection of this kind names this server and one of its ports.
  package func allowsHost(_ authority: Authority, isSecure: Bool) -> Bool {
    let ports = isSecure ? securePorts : plainPorts
    // DNS can rebind a name to this server's address, but not an address.
    let isOwn = isOwn(authority) || (isOnAllAddresses && authority.isAddress)
    if isOwn, ports.contains(HTTPOrigin(isSecure: isSecure, authority: authority).port) { return true }
    return allowedHosts.contains { $0.matches(authority.host, port: authority.port.map(Int.init), listening: ports) }
  }

  /// Whether a request comes from a page of this server or of an allowed origin, or from no page at all.
  ///
  /// Browsers send the origin with every WebSocket and every request that changes something. A request without an origin comes from no
  /// page, unless its `Sec-Fetch-Site` names another site.
  package func allowsOrigin(of head: RequestHead, isSecure: Bool) -> Bool {
    let origins = head.fields[values: .origin]
    guard !origins.isEmpty else {
      return head.fields[values: .secFetchSite].allSatisfy { ["same-origin", "none"].contains($0) }
    }
    guard origins.count == 1 else { return false }
    // The usual case: the page talks to its own address.
    let scheme = isSecure ? "https://" : "http://"
    if let authority = head.authority, origins[0] == scheme + authority.rawValue { return true }
    guard let origin = HTTPOrigin(origins[0]) else { return false }
    if allowedOrigins.contains(origin) || serves(origin) { return true }
    // If the server listens on all addresses, only the request tells which one was used.
    return head.authority.map { HTTPOrigin(isSecure: isSecure, authority: $0) } == origin
  }

  /// The origin of a request's page if `--allow-origin` allows it; the answers to its scripts name it (CORS).
  func allowedOrigin(of head: RequestHead) -> String? {
    let origins = head.fields[values: .origin]
    guard origins.count == 1, let origin = HTTPOrigin(origins[0]), allowedOrigins.contains(origin) else { return nil }
    return origins[0]
  }

  /// Lets the scripts of a request's page read the answer with these fields, if `--allow-origin` allows its origin (CORS).
  package func letPageRead(_ fields: inout HTTPFields, inAnswerTo head: RequestHead) {
    guard let origin = allowedOrigin(of: head) else { return }
    fields[.accessControlAllowOrigin] = origin
    fields[.accessControlAllowCredentials] = "true"
  }

  private func serves(_ origin: HTTPOrigin) -> Bool {
    let isOwn = Authority(origin.host).map(isOwn) ?? false
    if isOwn, (origin.isSecure ? securePorts : plainPorts).contains(origin.port) { return true }
    return allowedHosts.contains { $0.matches(origin.host, port: origin.port, listening: plainPorts + securePorts) }
  }

  private func isOwn(_ authority: Authority) -> Bool { authority.isLoopback || authority.host == ownHost }
}

extension HTTPField.Name {
  /// `Sec-Fetch-Site` (Fetch Metadata, section 2.4): the relation between the request's page and the server.
  package static let secFetchSite = named("Sec-Fetch-Site")
  /// `Cross-Origin-Resource-Policy` (Fetch, section 3.7): the pages that may load a response without CORS.
  static let crossOriginResourcePolicy = named("Cross-Origin-Resource-Policy")
}

/// Another host name of the server (`--allow-host`), for example for a TLS terminator or a container's port mapping in front of it.
public struct AllowedHost: Sendable, Hashable {
  /// The name, in lower case.
  let name: String
  private let port: Int?

  /// Creates a name with a port. A name without a port covers the ports of the server, 80 and 443.
  init(name: String, port: Int? = nil) {
    self.name = name
    self.port = port
  }

  /// Reads a value of `--allow-host`: a name, perhaps with a port.
  public init(_ text: String) throws(SiteError) {
    // A star is a pattern in other servers. Here it would match nothing, so it is refused.
    guard let authority = Authority(text), !text.contains("*") else { throw .allowedHostInvalid(text) }
    self.init(name: authority.host, port: authority.port.map(Int.init))
  }

  /// Whether this name covers a host and port, on a server that listens on the ports `listening`. A missing port is 80 or 443: a proxy in
  /// front may use another scheme than the server.
  func matches(_ host: String, port asked: Int?, listening: [Int]) -> Bool {
    guard host == name else { return false }
    let ports = asked.map { [$0] } ?? [80, 443]
    return ports.contains { port == nil ? [80, 443].contains($0) || listening.contains($0) : $0 == port }
  }
}

extension Authority {
  /// Whether browsers trust this host over http as they do over https (Secure Contexts, section 3.1), because it is this machine.
  var isTrustworthy: Bool { isLoopback || host.hasSuffix(".localhost") }
}
