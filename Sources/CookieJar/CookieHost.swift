import Foundation

/// The canonicalised host of a URL (RFC 6265bis, section 5.1.2): lower-case, internationalised names as A-labels.
struct CookieHost: Hashable, Sendable {
  /// The name or address, without brackets.
  let name: String
  /// Whether this is an address and no name: then nothing but itself matches it.
  let isAddress: Bool

  /// The host of `url`; nil when there is none, or one that is no host name.
  init?(url: URL) {
    guard let host = url.host else { return nil }
    self.init(host)
  }

  /// Reads a host; nil when it is empty or has an octet that no host has. Names outside ASCII have to be A-labels already.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    name = String(decoding: bytes.map(\.asciiLowercased), as: UTF8.self)
    isAddress = bytes.contains(UInt8(ascii: ":")) || Self.endsInNumber(bytes)
  }

  /// Whether this host domain-matches `domain` (section 5.1.3): they are the same, or this is a name below it.
  func matches(domain: String) -> Bool {
    if name == domain { return true }
    return !isAddress && name.utf8.count > domain.utf8.count && name.hasSuffix(domain)
      && name.utf8.dropLast(domain.utf8.count).last == UInt8(ascii: ".")
  }

  /// Whether the last label is a number, decimal or hexadecimal: then the URL standard takes the whole for an IPv4 address.
  private static func endsInNumber(_ bytes: [UInt8]) -> Bool {
    var labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    guard let last = labels.last, !last.isEmpty else { return false }
    if last.allSatisfy(\.isASCIIDigit) { return true }
    return last.starts(with: [0x30, 0x78]) || last.starts(with: [0x30, 0x58])
      ? last.dropFirst(2).allSatisfy(\.isASCIIHexadecimalDigit) : false
  }
}
