import CPublicSuffix
import Essentials

/// The canonicalized host of a URL (RFC 6265bis, section 5.1.2): in lower case, with internationalized names as
/// A-labels.
struct CookieHost: Hashable, Sendable {
  /// The name or address, without brackets.
  let name: String
  /// Whether this is an IP address, which matches only itself.
  let isAddress: Bool

  /// The host of a URL; nil when it has no valid host.
  init?(url: URL) {
    guard let host = url.host else { return nil }
    self.init(host)
  }

  /// Parses a host; nil when it is empty or has a character that is not valid in a host. Internationalized names must
  /// already be A-labels.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    name = String(decoding: bytes.map(\.asciiLowercased), as: UTF8.self)
    isAddress = bytes.contains(UInt8(ascii: ":")) || Self.endsInNumber(bytes)
  }

  /// Whether this host domain-matches `domain` (section 5.1.3): it is the same or a subdomain.
  func matches(domain: String) -> Bool {
    if name == domain { return true }
    return !isAddress && name.utf8.count > domain.utf8.count && name.hasSuffix(domain)
      && name.utf8.dropLast(domain.utf8.count).last == UInt8(ascii: ".")
  }

  /// Whether the last label is a decimal or hexadecimal number. The URL Standard then parses the host as an IPv4
  /// address.
  private static func endsInNumber(_ bytes: [UInt8]) -> Bool {
    var labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    guard let last = labels.last, !last.isEmpty else { return false }
    if last.allSatisfy(\.isASCIIDigit) { return true }
    return last.starts(with: [0x30, 0x78]) || last.starts(with: [0x30, 0x58])
      ? last.dropFirst(2).allSatisfy(\.isASCIIHexadecimalDigit) : false
  }
}

/// The Public Suffix List (publicsuffix.org) in libpsl, which the system's package keeps up to date.
enum PublicSuffixList {
  /// Whether a domain is a public suffix, such as `co.uk` or `github.io`. A name without a dot always is.
  ///
  /// - Parameter domain: The domain, in lower case and ASCII (A-labels). A dot at its end is ignored.
  static func contains(_ domain: String) -> Bool {
    let name = domain.hasSuffix(".") ? String(domain.dropLast()) : domain
    // If libpsl was built without a list, every domain is a public suffix, and no cookie reaches subdomains.
    return psl_is_public_suffix(psl_builtin(), name) != 0
  }
}
