import Today

/// A real OAuth 2.0 token endpoint (`today.token.url`).
struct TokenEndpoint: OAuthTokenEndpoint {
  /// Posts to the endpoint.
  let poster: HTTPPoster

  func post(form: [(String, String)]) async throws -> (status: Int, body: [UInt8]) {
    let body = form.map { "\(Self.encode($0.0))=\(Self.encode($0.1))" }.joined(separator: "&")
    return try await poster.post(Array(body.utf8), contentType: "application/x-www-form-urlencoded")
  }

  /// Text in a form (URL standard, "application/x-www-form-urlencoded serializing").
  private static func encode(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case 0x20: encoded += "+"
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F:
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default: encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }
}
