import HTTP1
import HTTPTypes

/// A browser's request as the upstream gets it (RFC 9110, sections 7.6 and 7.7).
///
/// - `Host` becomes the upstream's own: development servers refuse names that are not theirs, and virtual hosts go by it. What the browser
///   asked for is in `Forwarded` (RFC 7239) and `X-Forwarded-Host`.
/// - `Origin` and `Referer` that name the site's origin name the upstream's: servers compare them with `Host` to tell forged requests.
/// - `Destination` (RFC 4918) that names a place of the site names that of the upstream: servers take no other.
/// - Our session cookie is left out: it is between the browser and the bridge. The session's own cookies (``SiteCookies``) come in.
/// - For a document that the shim may go into, the encodings are reduced to those that can be read; a browser's conditions are left out,
///   since what it may have of the document is another one.
///
/// Everything else stays: every field, in its order, with its repetition and its bytes.
struct UpstreamRequest {
  /// What stands for us in `Via`.
  let pseudonym: String
  /// The addresses of the site.
  let addresses: SiteAddresses
  /// The client's address, if it is known.
  let clientAddress: String?
  /// How the response is wanted.
  let requested: RequestedDocument
  /// Our cookie, which stays here.
  let sessionCookie: SessionCookie
  /// What goes in place of the browser's cookies; nil leaves them.
  let cookie: HTTPField?

  /// The request's head. Throws what is wrong with a target that the route's path makes invalid.
  func head(for head: RequestHead) throws(MessageDefect) -> RequestHead {
    let host = addresses.route.origin.authority
    var fields: [HTTPField] = []
    fields.reserveCapacity(head.fields.count + Self.mostFieldsAdded)
    fields.append(HTTPField(name: .hostField, value: host))
    let hops = MaximumForwards(head)
    for field in head.fields.withoutHopByHopFields {
      if field.name == .maxForwards, let hops {
        fields.append(HTTPField(name: field.name, value: hops.next))
      } else if let field = translate(field) {
        fields.append(field)
      }
    }
    if let cookie { fields.append(cookie) }
    if requested.isInjected { fields.append(HTTPField(name: .acceptEncoding, value: "identity")) }
    appendForwardedFields(to: &fields, from: head)
    fields.append(HTTPField(name: .via, value: "\(head.version == .http10 ? "1.0" : "1.1") \(pseudonym)"))
    appendConnectionFields(to: &fields, from: head)
    return try RequestHead(method: head.method, target: target(of: head), fields: HTTPFields(inOrder: fields))
  }

  /// The same request for the whole of a representation instead of ranges of it.
  static func withoutRange(_ head: RequestHead) throws(MessageDefect) -> RequestHead {
    var fields = head.fields
    fields[.range] = nil
    fields[.ifRange] = nil
    return try RequestHead(method: head.method, target: head.target, fields: fields)
  }

  private static let mostFieldsAdded = 10

  private func target(of head: RequestHead) -> RequestTarget {
    guard let path = head.target.path else { return head.target }
    return .origin(path: addresses.route.upstreamPath(of: path), query: head.target.query)
  }

  private func translate(_ field: HTTPField) -> HTTPField? {
    switch field.name {
    case .hostField, .forwarded: nil
    case let name where name.canonicalName.hasPrefix("x-forwarded-"): nil
    case .acceptEncoding: requested.isInjected ? nil : field
    case .ifNoneMatch, .ifModifiedSince: requested.isInjected && requested.isByBrowser ? nil : field
    case .origin, .referer, .destination: HTTPField(name: field.name, value: addresses.upstream(field.value))
    case .cookie: cookie == nil ? sessionCookie.removed(from: field) : nil
    default: field
    }
  }

  /// RFC 7239, section 4. What the client has sent of these fields is left out: a page can set them, and servers believe the first value.
  private func appendForwardedFields(to fields: inout [HTTPField], from head: RequestHead) {
    let client = clientAddress ?? "unknown"
    fields.append(HTTPField(name: .xForwardedFor, value: client))
    fields.append(HTTPField(name: .xForwardedProto, value: addresses.scheme))
    let node = client.utf8.contains(UInt8(ascii: ":")) ? "\"[\(client)]\"" : client
    var forwarded = "for=\(node);proto=\(addresses.scheme)"
    if let authority = addresses.authority {
      fields.append(HTTPField(name: .xForwardedHost, value: authority.rawValue))
      forwarded += ";host=\"\(authority.rawValue)\""
    }
    fields.append(HTTPField(name: .forwarded, value: forwarded))
  }

  /// What concerns the connection to the upstream alone.
  private func appendConnectionFields(to fields: inout [HTTPField], from head: RequestHead) {
    var options: [String] = []
    if head.bodyFraming == .chunked { fields.append(HTTPField(name: .transferEncoding, value: "chunked")) }
    if head.fields.tokens(of: .te).contains(where: { $0.lowercased() == "trailers" }) {
      fields.append(HTTPField(name: .te, value: "trailers"))
      options.append("TE")
    }
    if head.upgradeProtocols.contains(where: { $0.lowercased() == "websocket" }) {
      fields.append(HTTPField(name: .upgrade, value: "websocket"))
      options.append("Upgrade")
    }
    if !options.isEmpty { fields.append(HTTPField(name: .connection, value: options.joined(separator: ", "))) }
  }
}
