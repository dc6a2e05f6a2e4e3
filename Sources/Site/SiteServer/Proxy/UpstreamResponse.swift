import BridgeRuntime
import CookieJar
import HTTP1
import HTTPTypes
import Sessions

/// Translates an upstream's response for the browser (RFC 9110, section 7.6).
///
/// - Addresses of the upstream and of the production site become the browser's: `Location`, `Content-Location`,
///   `Refresh`, `Link`, `SourceMap`, `Access-Control-Allow-Origin` and others, and the `Domain` of cookies, which is removed so that they belong to the browser's host.
/// - `Secure` is removed from cookies if the browser uses http and a host name of another machine. It would refuse them otherwise.
/// - A cookie with the name of our session cookie is removed: it would put the browser into another session.
/// - A cookie that the native host has created goes into the session's jar.
/// - `Clear-Site-Data` no longer covers cookies, so that ours stays. The site's own cookies expire one by one (``ClearSiteData``).
/// - `Strict-Transport-Security`, `Alt-Svc` and `NEL` are removed: they are about the upstream's host and ports, and a browser would apply
///   them to every other server on localhost. A site under its own origin (``ListedSite``) keeps the first.
/// - A `Content-Security-Policy` that allows the upstream or production site also allows the browser's address.
///
/// Everything else stays: every field, with its order, repetition and bytes.
@BridgeActor
struct UpstreamResponse {
  /// The addresses of the site.
  let addresses: SiteAddresses
  /// The cookie of our session. No other server may set it.
  let sessionCookie: SessionCookie
  /// The cookies of the browser's session; nil without a session.
  let cookies: (any SiteCookies)?
  /// The kind of the request, which tells how the browser will use the response.
  let requested: RequestedDocument
  /// The browser's request.
  let request: RequestHead
  /// The cookies that upstreams have set in browsers.
  let browserCookies: BrowserCookies
  /// The header fields that the options add to responses.
  let changes: FieldChanges

  /// The fields of a response, also of an informational one.
  func fields(of head: ResponseHead) -> [HTTPField] {
    var fields: [HTTPField] = []
    fields.reserveCapacity(head.fields.count)
    let cleared = clearedData(by: head)
    for field in head.fields.withoutHopByHopFields {
      switch field.name {
      case .strictTransportSecurity where addresses.listedSite != nil: fields.append(field)
      case .strictTransportSecurity, .altSvc, .networkErrorLogging: break
      // A response that can have no body has no length either (RFC 9110, section 8.6).
      case .contentLength where head.status == .noContent || head.status.kind == .informational: break
      case .location, .contentLocation:
        fields.append(HTTPField(name: field.name, value: addresses.local(field.value)))
      case let name where HTTPField.Name.addresses.contains(name):
        fields.append(HTTPField(name: field.name, value: addresses.local(field.value)))
      case .link:
        fields.append(HTTPField(name: field.name, value: addresses.local(in: field.value, between: "<", and: ">")))
      case .speculationRules:
        fields.append(HTTPField(name: field.name, value: addresses.local(in: field.value, between: "\"", and: "\"")))
      case .contentSecurityPolicy, .contentSecurityPolicyReportOnly:
        fields.append(HTTPField(name: field.name, value: addresses.localSources(in: field.value)))
      case .refresh:
        fields.append(HTTPField(name: field.name, value: addresses.localRefresh(field.value)))
      case .accessControlAllowOrigin, .timingAllowOrigin:
        fields.append(HTTPField(name: field.name, value: addresses.localOrigin(for: field.value)))
      // Chromium clears cookies after it has set those of the same response.
      case .clearSiteData where cleared != nil, .setCookie where cleared != nil: break
      case .setCookie where sessionCookie.isSet(by: field): break
      case .setCookie:
        if cookies?.take(translateCookie(field, to: addresses.siteHost)) == true { break }
        fields.append(translateCookie(field, to: addresses.authority?.host, isForBrowser: true))
      default: fields.append(field)
      }
    }
    if let cleared {
      cookies?.clear()
      fields += [cleared.rest].compactMap { $0 }
      fields += browserCookies.expiries(
        of: sessionID, request: request, ours: sessionCookie, isSecure: addresses.scheme == "https")
    }
    return head.status.kind == .informational ? fields : changes.applied(to: fields)
  }

  /// Remembers the cookies that a response sets in the browser of a session. `newID` is nil for the browser's present session.
  func remember(_ fields: [HTTPField], of head: ResponseHead, sessionID newID: String? = nil) {
    guard head.fields.contains(.setCookie), clearedData(by: head) == nil, let id = newID ?? sessionID else { return }
    let path = request.target.path ?? "/"
    let setCookies = fields.filter { $0.name == .setCookie }
    browserCookies.remember(setCookies.compactMap { BrowserCookie(setBy: $0, requestPath: path) }, of: id)
  }

  /// The id of the session that the browser is in.
  private var sessionID: String? {
    let value = SessionCookie.value(in: request.fields, isSecure: addresses.scheme == "https")
    return value.map { SessionKey(cookieValue: $0).id }
  }

  /// The data that a response makes the browser clear; nil if there are no cookies among it. Browsers obey on secure origins only: https,
  /// and this machine.
  private func clearedData(by head: ResponseHead) -> ClearSiteData? {
    guard head.status.kind != .informational, let cleared = ClearSiteData(head.fields), addresses.isTrustworthy else {
      return nil
    }
    return cleared
  }

  /// Translates a cookie (RFC 6265, section 4.1) for `host`: removes a foreign domain, and translates a path of the upstream. If the
  /// browser does not treat the origin as secure, it also removes `Secure` and the attributes that need it: such a browser would refuse the
  /// cookie.
  private func translateCookie(_ field: HTTPField, to host: String?, isForBrowser: Bool = false) -> HTTPField {
    let isUnsafe = isForBrowser && !addresses.isTrustworthy
    let parts = field.valueBytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    var remaining: [ArraySlice<UInt8>] = Array(parts.prefix(1))
    // Such a cookie is valid only with the path / (RFC 6265bis, section 4.1.3.2).
    let isOfHost = remaining.first?.startsIgnoringCase("__host-") ?? false
    for part in parts.dropFirst() {
      let attribute = part.split(separator: UInt8(ascii: "="), maxSplits: 1).map {
        String(decoding: $0.trimmingWhitespace, as: UTF8.self)
      }
      let name = attribute.first?.lowercased() ?? ""
      let value = attribute.count == 2 ? attribute[1] : ""
      switch name {
      case "domain" where addresses.isForeignCookieDomain(value, to: host): break
      case "secure" where isUnsafe, "partitioned" where isUnsafe: break
      case "samesite" where isUnsafe && value.lowercased() == "none": break
      case "path" where !isOfHost:
        guard let path = addresses.route.sitePath(of: value), path != value else { fallthrough }
        remaining.append(Array(" Path=\(path)".utf8)[...])
      default: remaining.append(part)
      }
    }
    return HTTPField(name: field.name, value: Array(remaining.joined(separator: [UInt8(ascii: ";")])))
  }
}

/// `Clear-Site-Data` of an upstream that clears cookies (https://www.w3.org/TR/clear-site-data/).
///
/// A browser would also clear the cookie of our session, and a sign-out would then lose the account and its purchases. So the browser gets
/// only the other types, and the site's own cookies expire one by one (``BrowserCookies``).
struct ClearSiteData {
  /// The field for the browser; nil if there is nothing else to clear.
  let rest: HTTPField?

  /// The types that `"*"` means, without cookies.
  private static let others = [
    "\"cache\"", "\"clientHints\"", "\"prefetchCache\"", "\"prerenderCache\"", "\"storage\"",
  ]

  /// Reads the fields of a response; nil if they do not clear cookies.
  init?(_ fields: HTTPFields) {
    guard fields.contains(.clearSiteData) else { return nil }
    let types = fields.tokens(of: .clearSiteData)
    let clearsEverything = types.contains("\"*\"")
    guard clearsEverything || types.contains("\"cookies\"") else { return nil }
    var remaining = types.filter { $0 != "\"*\"" && $0 != "\"cookies\"" }
    if clearsEverything { remaining += Self.others.filter { !remaining.contains($0) } }
    rest = remaining.isEmpty ? nil : HTTPField(name: .clearSiteData, value: remaining.joined(separator: ", "))
  }
}
