import Essentials

/// An IP address, or a network of them (CIDR; RFC 4632, RFC 4291).
struct AddressRange: Sendable, Hashable {
  /// The first address, as an IPv6 address. An IPv4 address is mapped (RFC 4291, section 2.5.5.2).
  private let bytes: [UInt8]
  /// The number of leading bits that all addresses have in common.
  private let prefixLength: Int

  /// Reads an address, perhaps with the length of a prefix: `10.1.2.3`, `10.0.0.0/8`, `fd00::/8`. Nil for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let (bytes, bitCount) = Self.parse(parts[0]) else { return nil }
    var length = bitCount
    if parts.count == 2 {
      guard parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(parts[1]), number <= bitCount else {
        return nil
      }
      length = number
    }
    self.bytes = bytes
    prefixLength = 128 - bitCount + length
  }

  /// Whether the range contains an address. False for a text that is not an address.
  func contains(_ address: String) -> Bool {
    guard let (other, _) = Self.parse(address[...]) else { return false }
    let (wholeBytes, bits) = prefixLength.quotientAndRemainder(dividingBy: 8)
    guard bytes[..<wholeBytes] == other[..<wholeBytes] else { return false }
    return bits == 0 || (bytes[wholeBytes] ^ other[wholeBytes]) >> (8 - bits) == 0
  }

  /// The addresses of this machine itself (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3).
  static let loopback = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }

  /// The address of a client as proxies write it (RFC 7239, section 6): with an optional port, and with brackets around an IPv6 address.
  /// Nil for a name.
  static func address(ofNode node: String) -> String? {
    var text = node[...]
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      text = text[text.index(after: text.startIndex)..<end]
    } else if text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 {
      text = text.prefix { $0 != ":" }
    }
    return parse(text) == nil ? nil : String(text)
  }

  /// The bytes of an address as an IPv6 address, and the number of bits of the address itself.
  private static func parse(_ text: Substring) -> (bytes: [UInt8], bitCount: Int)? {
    var ipv4 = in_addr()
    if inet_pton(AF_INET, String(text), &ipv4) == 1 {
      let bytes = withUnsafeBytes(of: ipv4) { Array($0) }
      return ([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes, 32)
    }
    var ipv6 = in6_addr()
    // The system adds the interface to a link-local address.
    guard inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &ipv6) == 1 else { return nil }
    return (withUnsafeBytes(of: ipv6) { Array($0) }, 128)
  }
}
