public import HTTPTypes

/// A content coding in which a representation can be sent (RFC 9110, section 8.4.1).
public enum ContentCoding: String, Sendable, CaseIterable {
  /// Brotli (RFC 7932).
  case brotli = "br"
  /// gzip (RFC 9110, section 8.4.1.3).
  case gzip

  /// The coding of `codings` that a request likes best by its `Accept-Encoding` (RFC 9110, section 12.5.3); nil when the representation is
  /// to be sent as it is. Where a request likes two equally, the one that is declared first here is taken: it is the smaller one.
  public static func preferred(by fields: HTTPFields, of codings: some Collection<ContentCoding>) -> ContentCoding? {
    let weights = weights(in: fields)
    func weight(_ coding: ContentCoding) -> Double { weights[coding.rawValue] ?? weights["*"] ?? 0 }
    // The sort is stable.
    let liked = allCases.filter(codings.contains).sorted { weight($0) > weight($1) }
    guard let best = liked.first, weight(best) > 0, weight(best) >= weights["identity"] ?? 0 else { return nil }
    return best
  }

  /// What an encoded copy of a file is called: the file's name with this extension.
  public var fileExtension: String { self == .gzip ? "gz" : rawValue }

  /// What the codings that a request names are worth to it. One whose weight is no number from 0 to 1 is worth nothing.
  private static func weights(in fields: HTTPFields) -> [String: Double] {
    var weights: [String: Double] = [:]
    for element in fields.tokens(of: .acceptEncoding) {
      let parts = element.split(separator: ";", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      guard let name = parts.first else { continue }
      var weight = 1.0
      if parts.count == 2 {
        weight = parts[1].hasPrefix("q=") ? Double(parts[1].dropFirst(2)) ?? 0 : 0
      }
      // An old name of the same coding, which recipients take for it.
      weights[name == "x-gzip" ? "gzip" : name] = (0...1).contains(weight) ? weight : 0
    }
    return weights
  }
}
