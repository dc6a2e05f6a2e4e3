import HTTP1
package import HTTPTypes

extension HTTPFields {
  /// The fields for the next hop. Leaves out fields for one connection only, and fields that `Connection` names (RFC 9110, section 7.6.1).
  /// Keeps order, repetition and spelling.
  package var withoutHopByHopFields: some Sequence<HTTPField> {
    let options = connectionOptions
    return lazy.filter { field in
      let name = field.name.canonicalName
      return !field.name.concernsConnection && name != "te"
        // Content-Length stays, since the proxy writes the framing of the message itself. Host stays, since a request needs it.
        && (!options.contains(name) || name == "content-length" || name == "host")
    }
  }
}

extension HTTPField.Name {
  /// `Forwarded` (RFC 7239).
  package static let forwarded = named("Forwarded")
  /// `X-Forwarded-For`, older than RFC 7239; most servers still read it.
  package static let xForwardedFor = named("X-Forwarded-For")
  /// `X-Forwarded-Host`, also older than RFC 7239.
  package static let xForwardedHost = named("X-Forwarded-Host")
  /// `X-Forwarded-Proto`, also older than RFC 7239.
  package static let xForwardedProto = named("X-Forwarded-Proto")
  /// `Alt-Svc` (RFC 7838).
  package static let altSvc = named("Alt-Svc")
  /// `Refresh` (HTML Standard, section 15.2): seconds, and the address to load then.
  package static let refresh = named("Refresh")
  /// `Integrity-Policy` (Subresource Integrity, section 3.8), and the one that only reports.
  package static let integrityPolicies = [named("Integrity-Policy"), named("Integrity-Policy-Report-Only")]
  /// `Clear-Site-Data` (https://www.w3.org/TR/clear-site-data/).
  package static let clearSiteData = named("Clear-Site-Data")
  /// Fields about the bytes of a body: its length and ranges, digests (RFC 9530, and older ones), and signatures (RFC 9421).
  package static let aboutBody: Set<HTTPField.Name> = [
    .contentLength, .acceptRanges, named("Content-Digest"), named("Repr-Digest"), named("Unencoded-Digest"),
    named("Content-MD5"),
    named("Digest"), named("Signature"), named("Signature-Input"),
  ]
  /// `Use-As-Dictionary` (RFC 9842): later answers may be compressed with this one, as the server has sent it.
  package static let useAsDictionary = named("Use-As-Dictionary")
  /// `No-Vary-Search` (https://wicg.github.io/nav-speculation/no-vary-search.html): the browser may show an answer for another query.
  package static let noVarySearch = named("No-Vary-Search")
  /// `NEL` (https://www.w3.org/TR/network-error-logging/): the browser reports failed connections to a host.
  package static let networkErrorLogging = named("NEL")
  /// `Permissions-Policy` (https://www.w3.org/TR/permissions-policy/).
  package static let permissionsPolicy = named("Permissions-Policy")
  /// Fields whose value is an address: the source map of a script, and the scope of a service worker.
  package static let addresses = [named("SourceMap"), named("X-SourceMap"), named("Service-Worker-Allowed")]
  /// `Link` (RFC 8288).
  package static let link = named("Link")
  /// `Speculation-Rules`: the addresses of rules for pages to load in advance.
  package static let speculationRules = named("Speculation-Rules")
  /// `Timing-Allow-Origin` (Resource Timing, section 4.5.1).
  package static let timingAllowOrigin = named("Timing-Allow-Origin")
  /// `Destination` (RFC 4918, section 10.3): the target of a copy or move in WebDAV.
  package static let destination = named("Destination")
  /// Marks an answer by Footbridge itself, because the upstream server gave none.
  package static let footbridgeProblem = named("Footbridge-Problem")

  /// The name with this spelling, for our own constants.
  package static func named(_ text: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a token") }
    return name
  }
}

extension HTTPResponse.Status {
  /// 499, as nginx calls it: the client has gone before its response began. Only the access log sees it.
  package static let clientClosedRequest = HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request")
  /// 508 (Loop Detected; RFC 5842, section 7.2): an upstream leads back to this server.
  package static let loopDetected = HTTPResponse.Status(code: 508, reasonPhrase: "Loop Detected")
}
