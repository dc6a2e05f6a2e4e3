import HTTP1
import HTTPTypes
import Sessions

/// Translates a browser's request for the upstream (RFC 9110, sections 7.6 and 7.7).
///
/// - `Host`, `Origin`, `Referer`, `Destination` (RFC 4918), `Forwarded` (RFC 7239) and `X-Forwarded-*` use one name for the site
///   (``ProxyHost``): servers compare them to detect forged requests.
/// - The cookie of our session is removed. The cookies in the session's own jar (``SiteCookies``) are added.
/// - `User-Agent` is that of the phone that pages are to find, with the native app's addition.
/// - A request for a document that may get the shim accepts no content coding and has no conditions: the browser's copy is the injected
///   document, which the upstream server does not know.
///
/// Everything else stays unchanged: every field, with its order, repetition and bytes.
struct UpstreamRequest {
  /// Our name in `Via`.
  let pseudonym: String
  /// The addresses of the site.
  let addresses: SiteAddresses
  /// The client's address, if it is known.
  let clientAddress: String?
  /// The kind of the request, which tells how the browser will use the response.
  let requested: RequestedDocument
  /// The cookie of our session, which the upstream does not get.
  let sessionCookie: SessionCookie
  /// The field that replaces the browser's cookies; nil leaves them.
  let cookie: HTTPField?
  /// The phone that pages are to find; nil for the browser as it is.
  let phone: Phone?
  /// The native app's addition to the user agent; nil for none.
  let userAgent: String?
  /// What native adds to the request for a document; nil for nothing.
  let launch: LaunchRequest?
  /// The header fields that the options add to requests.
  let changes: FieldChanges

  /// The head for the upstream. Throws if the route's path makes the target invalid.
  func head(for head: RequestHead) throws(MessageDefect) -> RequestHead {
    let site = addresses.siteName
    var fields: [HTTPField] = []
    fields.reserveCapacity(head.fields.count + Self.mostFieldsAdded)
    fields.append(HTTPField(name: .hostField, value: site.authority))
    let hops = MaximumForwards(head)
    for field in head.fields.withoutHopByHopFields {
      if field.name == .maxForwards, let hops {
        fields.append(HTTPField(name: field.name, value: hops.next))
      } else if field.name == .origin, isMisjudged(field, site, head) {
        continue
      } else if let field = translate(field) {
        fields.append(field)
      }
    }
    if let cookie { fields.append(cookie) }
    if let launch { fields = launch.applied(to: fields) }
    if requested.isInjected { fields.append(HTTPField(name: .acceptEncoding, value: "identity")) }
    // The site's own server gets the request as if it came from the browser.
    if addresses.listedSite?.isOwnServer != true { appendForwardedFields(to: &fields, site) }
    fields.append(HTTPField(name: .via, value: "\(head.version == .http10 ? "1.0" : "1.1") \(pseudonym)"))
    fields = changes.applied(to: fields)
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
    case .userAgent: HTTPField(name: .userAgent, value: self.userAgent(insteadOf: field.value))
    // WebKit has no client hints.
    case let name where phone?.isIOS == true && name.canonicalName.hasPrefix("sec-ch-ua"): nil
    case .origin, .referer, .destination: HTTPField(name: field.name, value: addresses.upstream(field.value))
    case .cookie: cookie == nil ? sessionCookie.removed(from: field) : nil
    default: field
    }
  }

  private func userAgent(insteadOf browser: String) -> String {
    let webView = phone?.userAgent(insteadOf: browser) ?? browser
    return userAgent.map { "\(webView) \($0)" } ?? webView
  }

  /// Whether Django would take the site's origin for a foreign one. It compares `Origin` with the scheme of its own connection, and trusts
  /// `X-Forwarded-Proto` only if its settings allow it. Without `Origin`, it checks its token and the `Referer`.
  private func isMisjudged(_ origin: HTTPField, _ site: SiteName, _ head: RequestHead) -> Bool {
    site.scheme != addresses.route.origin.scheme && head.upgradeProtocols.isEmpty
      && origin.value.lowercased() == addresses.localOrigin
      && head.fields[fields: .cookie].contains { $0.value.contains("csrftoken=") }
  }

  /// RFC 7239, section 4. The client's own values are removed: a page can set them, and servers believe the first one.
  private func appendForwardedFields(to fields: inout [HTTPField], _ site: SiteName) {
    let client = clientAddress ?? "unknown"
    fields.append(HTTPField(name: .xForwardedFor, value: client))
    fields.append(HTTPField(name: .xForwardedProto, value: site.scheme))
    let node = client.utf8.contains(UInt8(ascii: ":")) ? "\"[\(client)]\"" : client
    var forwarded = "for=\(node);proto=\(site.scheme)"
    if addresses.authority != nil {
      fields.append(HTTPField(name: .xForwardedHost, value: site.authority))
      forwarded += ";host=\"\(site.authority)\""
    }
    fields.append(HTTPField(name: .forwarded, value: forwarded))
  }

  /// Adds the fields for the connection to the upstream.
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
