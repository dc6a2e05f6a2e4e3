import HTTP1
import HTTPTypes
import WebServer

@testable import Footbridge
@testable import SiteServer

/// The fields of a trusted proxy, which have words of its clients in them: what is believed is an address and an origin, or nothing.
enum ForwardedFuzz {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var fields: [HTTPField] = [HTTPField(name: .hostField, value: "inside")]
    for line in input.split(separator: 0x0A) {
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2, let name = HTTPField.Name(String(decoding: parts[0], as: UTF8.self)) else { continue }
      fields.append(HTTPField(name: name, value: Array(parts[1])))
    }
    guard let proxies = try? TrustedProxies(["10.0.0.0/8", "::1"]), let target = RequestTarget("/", method: .get),
      let head = try? RequestHead(method: .get, target: target, fields: HTTPFields(inOrder: fields)),
      let original = try? proxies.original(of: head, from: "10.0.0.1")
    else { return }
    if let address = original.address {
      try FuzzFinding.unless(AddressRange(address) != nil, "No address: \(address)")
    } else {
      try FuzzFinding.unless(original.isAddressHidden, "Nobody's request: \(original)")
    }
    guard let authority = original.authority else { return }
    try FuzzFinding.unless(Authority(authority.rawValue) == authority, "No host: \(authority)")
  }
}
