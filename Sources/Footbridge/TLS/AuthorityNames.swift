import Essentials
import SwiftASN1
import X509

/// The names and addresses that an authority may sign certificates for (RFC 5280, section 4.2.1.10): those of this machine, and those that
/// the options give the server. Whoever steals its key cannot impersonate any other site.
struct AuthorityNames: Equatable {
  /// The names. Each includes its subdomains.
  private(set) var names: Set<String> = ["localhost"]
  /// Addresses, each followed by its mask.
  private(set) var ranges: Set<[UInt8]> = [Self.loopback4, Self.loopback6]

  private static let loopback4: [UInt8] = [127, 0, 0, 0, 255, 0, 0, 0]
  private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1] + [UInt8](repeating: 0xFF, count: 16)

  /// The names of this machine, and those of servers.
  init(_ servers: [CertificateName] = []) {
    for name in servers where !covers(name) {
      switch name.generalName {
      case .ipAddress(let address): ranges.insert(address.bytes + [UInt8](repeating: 0xFF, count: address.bytes.count))
      default: names.insert(name.text)
      }
    }
  }

  /// The names of an authority; nil for one whose names are not limited.
  init?(_ certificate: Certificate) {
    guard let constraints = try? certificate.extensions.nameConstraints, constraints.excludedSubtrees.isEmpty else {
      return nil
    }
    names = Set(constraints.permittedDNSDomains)
    ranges = Set(constraints.permittedIPRanges.map { Array($0.bytes) })
    guard !names.isEmpty, !names.contains(""), !ranges.isEmpty else { return nil }
  }

  /// Whether a certificate for this name or address is permitted.
  func covers(_ name: CertificateName) -> Bool {
    guard case .ipAddress(let address) = name.generalName else {
      return names.contains { name.text == $0 || name.text.hasSuffix("." + $0) }
    }
    return ranges.contains { range in
      let (base, mask) = (range.prefix(address.bytes.count), range.dropFirst(address.bytes.count))
      return range.count == 2 * address.bytes.count
        && zip(address.bytes, zip(base, mask)).allSatisfy { $0 & $1.1 == $1.0 & $1.1 }
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

  /// The name constraints, as an extension of a certificate.
  var constraints: NameConstraints {
    NameConstraints(
      permittedDNSDomains: names.sorted(),
      permittedIPRanges: sortedRanges.map { ASN1OctetString(contentBytes: $0[...]) })
  }
}
