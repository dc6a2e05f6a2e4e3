import HTTP1
import HTTPTypes

/// One proxy's report about the request that it received. Missing parts are nil.
struct ForwardedHop: Sendable, Hashable {
  /// The client: an address with an optional port, or a name.
  var node: String?
  /// The host that the request was for.
  var host: String?
  /// The scheme.
  var scheme: String?

  /// The hops of `X-Forwarded-For`, `-Host` and `-Proto`, the nearest proxy last. Empty without any of these fields.
  ///
  /// A proxy adds its client to `X-Forwarded-For`. It replaces the two others, or adds to them.
  static func hops(ofOlderFields fields: HTTPFields) -> [ForwardedHop] {
    let nodes = fields.tokens(of: .xForwardedFor)
    let hosts = fields.tokens(of: .xForwardedHost)
    let schemes = fields.tokens(of: .xForwardedProto)
    if nodes.isEmpty, hosts.isEmpty, schemes.isEmpty { return [] }
    guard !nodes.isEmpty else { return [ForwardedHop(host: hosts.last, scheme: schemes.last)] }
    return nodes.indices.map { index in
      ForwardedHop(
        node: nodes[index],
        host: hosts.count == nodes.count ? hosts[index] : hosts.last,
        scheme: schemes.count == nodes.count ? schemes[index] : schemes.last
      )
    }
  }

  /// The hops of `Forwarded` (RFC 7239, section 4), the nearest proxy last. Nil if the field is malformed.
  static func hops(of fields: HTTPFields) -> [ForwardedHop]? {
    var hops: [ForwardedHop] = []
    for line in fields[values: .forwarded] {
      var parser = ForwardedParser(line)
      guard let more = parser.parse() else { return nil }
      hops += more
    }
    return hops
  }
}

/// Reads a line of `Forwarded`. Commas separate its elements, and semicolons separate their pairs.
private struct ForwardedParser {
  private var rest: ArraySlice<UInt8>

  init(_ line: String) { rest = Array(line.utf8)[...] }

  mutating func parse() -> [ForwardedHop]? {
    var hops: [ForwardedHop] = []
    while true {
      var hop = ForwardedHop()
      repeat {
        skipSpaces()
        if rest.isEmpty || rest.first == UInt8(ascii: ";") || rest.first == UInt8(ascii: ",") { continue }
        let name = takeToken().lowercased()
        guard !name.isEmpty, take(UInt8(ascii: "=")), let value = takeValue() else { return nil }
        switch name {
        case "for": hop.node = value
        case "host": hop.host = value
        case "proto": hop.scheme = value
        default: break
        }
        skipSpaces()
      } while take(UInt8(ascii: ";"))
      if hop != ForwardedHop() { hops.append(hop) }
      if rest.isEmpty { return hops }
      guard take(UInt8(ascii: ",")) else { return nil }
    }
  }

  private mutating func takeValue() -> String? {
    guard take(UInt8(ascii: "\"")) else {
      let token = takeToken()
      return token.isEmpty ? nil : token
    }
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst() else { return nil }
        value.append(escaped)
      } else {
        value.append(byte)
      }
    }
    return nil
  }

  /// A token. An address with a port must be quoted, but some proxies do not quote it.
  private mutating func takeToken() -> String {
    let token = rest.prefix { $0 > 0x20 && $0 != 0x7F && !" \t\",;=".utf8.contains($0) }
    rest = rest[token.endIndex...]
    return String(decoding: token, as: UTF8.self)
  }

  private mutating func skipSpaces() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest = rest.dropFirst()
    return true
  }
}
