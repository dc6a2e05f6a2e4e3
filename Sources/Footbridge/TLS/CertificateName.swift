import Cryptography
import Essentials

/// A name or an address that a certificate is for (RFC 5280, section 4.2.1.6).
struct CertificateName: Hashable {
  /// The name, or the address without brackets.
  let text: String
  private let address: [UInt8]?

  /// Reads the host of a URL: a name, an IPv4 address, or an IPv6 address with or without brackets.
  init(_ host: String) {
    text = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host.lowercased()
    address = Self.bytes(text, family: AF_INET, count: 4) ?? Self.bytes(text, family: AF_INET6, count: 16)
  }

  /// The name in the form that certificates have.
  var generalName: GeneralName {
    address.map { .address($0) } ?? .dns(text)
  }

  /// An address in digits.
  static func text(of address: [UInt8]) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    inet_ntop(address.count == 4 ? AF_INET : AF_INET6, address, &text, socklen_t(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func bytes(_ text: String, family: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }
}
