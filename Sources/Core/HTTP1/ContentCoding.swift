public import HTTPTypes

/// A content coding (RFC 9110, section 8.4.1).
public enum ContentCoding: String, Sendable, CaseIterable {
  /// Brotli (RFC 7932).
  case brotli = "br"
  /// gzip (RFC 9110, section 8.4.1.3).
  case gzip

  /// The available coding that `Accept-Encoding` prefers (RFC 9110, section 12.5.3). Of two with equal weight, the
  /// first case of this enumeration wins, since its output is smaller.
  ///
  /// - Parameters:
  ///   - fields: The request's fields.
  ///   - codings: The codings that are available.
  /// - Returns: The coding; nil to send the representation without one.
  public static func preferred(by fields: HTTPFields, of codings: some Collection<ContentCoding>) -> ContentCoding? {
    let weights = weights(in: fields)
    func weight(_ coding: ContentCoding) -> Double { weights[coding.rawValue] ?? weights["*"] ?? 0 }
    // The sort is stable.
    let liked = allCases.filter(codings.contains).sorted { weight($0) > weight($1) }
    guard let best = liked.first, weight(best) > 0, weight(best) >= weights["identity"] ?? 0 else { return nil }
    return best
  }

  /// The extension to append to a file's name for its encoded copy, without the dot.
  public var fileExtension: String { self == .gzip ? "gz" : rawValue }

  /// The weights of the codings that `Accept-Encoding` names, from 0 to 1. An invalid weight counts as 0.
  private static func weights(in fields: HTTPFields) -> [String: Double] {
    var weights: [String: Double] = [:]
    for element in fields.tokens(of: .acceptEncoding) {
      let parts = element.split(separator: ";", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      guard let name = parts.first else { continue }
      var weight = 1.0
      if parts.count == 2 {
        weight = parts[1].hasPrefix("q=") ? Double(parts[1].dropFirst(2)) ?? 0 : 0
      }
      // `x-gzip` is an old name of gzip.
      weights[name == "x-gzip" ? "gzip" : name] = (0...1).contains(weight) ? weight : 0
    }
    return weights
  }
}
