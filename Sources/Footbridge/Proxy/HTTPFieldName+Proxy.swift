import HTTPTypes

extension HTTPField.Name {
  /// `Forwarded` (RFC 7239).
  static let forwarded = name("Forwarded")
  /// `X-Forwarded-For`, from the time before RFC 7239, which most servers still read.
  static let xForwardedFor = name("X-Forwarded-For")
  /// `X-Forwarded-Host`, likewise.
  static let xForwardedHost = name("X-Forwarded-Host")
  /// `X-Forwarded-Proto`, likewise.
  static let xForwardedProto = name("X-Forwarded-Proto")
  /// `Alt-Svc` (RFC 7838).
  static let altSvc = name("Alt-Svc")
  /// `Content-Digest` (RFC 9530).
  static let contentDigest = name("Content-Digest")
  /// `Repr-Digest` (RFC 9530).
  static let reprDigest = name("Repr-Digest")
  /// Marks an answer that is ours since the upstream had none.
  static let footbridgeProblem = name("Footbridge-Problem")
  /// `Content-MD5`, obsolete.
  static let contentMD5 = name("Content-MD5")

  private static func name(_ text: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a token") }
    return name
  }
}

extension HTTPField {
  /// The value's bytes.
  var valueBytes: [UInt8] { withUnsafeBytesOfValue { Array($0) } }
}
