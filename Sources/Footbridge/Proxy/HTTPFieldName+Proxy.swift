import HTTPTypes

extension HTTPField.Name {
  /// `Forwarded` (RFC 7239).
  static let forwarded = named("Forwarded")
  /// `X-Forwarded-For`, older than RFC 7239; most servers still read it.
  static let xForwardedFor = named("X-Forwarded-For")
  /// `X-Forwarded-Host`, likewise.
  static let xForwardedHost = named("X-Forwarded-Host")
  /// `X-Forwarded-Proto`, likewise.
  static let xForwardedProto = named("X-Forwarded-Proto")
  /// `Alt-Svc` (RFC 7838).
  static let altSvc = named("Alt-Svc")
  /// `Clear-Site-Data` (https://www.w3.org/TR/clear-site-data/).
  static let clearSiteData = named("Clear-Site-Data")
  /// `Content-Digest` (RFC 9530).
  static let contentDigest = named("Content-Digest")
  /// `Repr-Digest` (RFC 9530).
  static let reprDigest = named("Repr-Digest")
  /// `Destination` (RFC 4918, section 10.3): the target of a copy or move in WebDAV.
  static let destination = named("Destination")
  /// Marks an answer of ours, because the upstream had none.
  static let footbridgeProblem = named("Footbridge-Problem")
  /// `Content-MD5`, obsolete.
  static let contentMD5 = named("Content-MD5")
  /// `Digest` (RFC 3230), obsolete.
  static let digest = named("Digest")

  /// The name with this spelling, for our own constants.
  static func named(_ text: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a token") }
    return name
  }
}
