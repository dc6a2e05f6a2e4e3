import Cryptography

/// The names and addresses that an authority may sign certificates for (RFC 5280, section 4.2.1.10): those of this machine, and those of
/// the server's options. A thief of its key cannot impersonate any other site.
struct AuthorityNames: Equatable {
  /// The names. Each includes its subdomains.
  private(set) var names: Set<String> = ["localhost"]
  /// Addresses, each followed by its mask.
  private(set) var ranges: Set<[UInt8]> = [Self.loopback4, Self.loopback6]

  private static let loopback4: [UInt8] = [127, 0, 0, 0, 255, 0, 0, 0]
  private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1] + [UInt8](repeating: 0xFF, count: 16)

  /// The names of this machine, and these names of servers.
  init(_ servers: [CertificateName] = []) {
    for name in servers where !covers(name) {
      switch name.generalName {
      case .address(let address): ranges.insert(address + [UInt8](repeating: 0xFF, count: address.count))
      case .dns(let text): names.insert(text)
      }
    }
  }

  /// The names of an authority; nil for one whose names are not limited.
  init?(_ certificate: Certificate) {
    guard let permitted = certificate.permittedNames else { return nil }
    (names, ranges) = ([], [])
    for name in permitted {
      switch name {
      case .address(let range): ranges.insert(range)
      case .dns(let text): names.insert(text)
      }
    }
    guard !names.isEmpty, !names.contains(""), !ranges.isEmpty else { return nil }
  }

  /// Whether a certificate for this name or address is permitted.
  func covers(_ name: CertificateName) -> Bool {
    guard case .address(let address) = name.generalName else {
      return names.contains { name.text == $0 || name.text.hasSuffix("." + $0) }
    }
    return ranges.contains { range in
      let (base, mask) = (range.prefix(address.count), range.dropFirst(address.count))
      return range.count == 2 * address.count
        && zip(address, zip(base, mask)).allSatisfy { $0 & $1.1 == $1.0 & $1.1 }
    }
  }

  /// These names, and those of `other`.
  func union(_ other: AuthorityNames) -> AuthorityNames {
    var union = self
    union.names.formUnion(other.names)
    union.ranges.formUnion(other.ranges)
    return union
  }

  /// The names, and the addresses in digits. A range is its first address and the length of its mask.
  var texts: [String] {
    names.sorted()
      + sortedRanges.map { range in
        let address = Array(range.prefix(range.count / 2))
        let bitCount = range.suffix(range.count / 2).reduce(0) { $0 + $1.nonzeroBitCount }
        return CertificateName.text(of: address) + (bitCount == address.count * 8 ? "" : "/\(bitCount)")
      }
  }

  private var sortedRanges: [[UInt8]] { ranges.sorted { $0.lexicographicallyPrecedes($1) } }

  /// The names in the form of certificates.
  var generalNames: [GeneralName] { names.sorted().map { .dns($0) } + sortedRanges.map { .address($0) } }
}
