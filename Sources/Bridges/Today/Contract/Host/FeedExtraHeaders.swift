/// The headers that trusted surfaces get besides the bearer token (`feedExtraHeaders`). They must contain no secrets.
public struct FeedExtraHeaders: Sendable, Hashable {
  /// The values by header name.
  public let values: [String: String]

  /// No headers.
  public static let none = FeedExtraHeaders()

  private init() {
    values = [:]
  }

  /// Creates headers.
  ///
  /// - Parameter values: The values by header name.
  /// - Throws: ``TodaySettingsError/extraHeader(name:)`` for a name that is invalid (RFC 9110, section 5.1) or
  ///   `Authorization`, and for a value that contains control characters other than tabs.
  public init(_ values: [String: String]) throws(TodaySettingsError) {
    for (name, value) in values {
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenCharacter), name.lowercased() != "authorization",
        !value.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F })
      else { throw .extraHeader(name: name) }
    }
    self.values = values
  }

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
