import COpenSSL

/// A name in a certificate (RFC 5280, section 4.2.1.6).
package enum GeneralName: Hashable, Sendable {
  /// A host's name.
  case dns(String)
  /// An IP address, 4 or 16 bytes. In name constraints its mask follows.
  case address([UInt8])

  /// Reads names, and frees them; nil if there are others among them.
  static func take(_ names: OpaquePointer?) -> [GeneralName]? {
    defer { footbridge_names_free(names) }
    var taken: [GeneralName] = []
    for index in 0..<footbridge_names_count(names) {
      var bytes: UnsafePointer<UInt8>?
      var count = 0
      let kind = footbridge_names_get(names, index, &bytes, &count)
      let value = Array(UnsafeBufferPointer(start: bytes, count: count))
      switch kind {
      case GEN_DNS: taken.append(.dns(String(decoding: value, as: UTF8.self)))
      case GEN_IPADD: taken.append(.address(value))
      default: return nil
      }
    }
    return taken
  }

  /// Calls `body` with names in OpenSSL's form.
  static func with<Result>(_ names: [GeneralName], _ body: (OpaquePointer?) -> Result) -> Result {
    let list = footbridge_names_new()
    defer { footbridge_names_free(list) }
    for name in names {
      let (kind, bytes) =
        switch name {
        case .dns(let text): (GEN_DNS, Array(text.utf8))
        case .address(let address): (GEN_IPADD, address)
        }
      guard footbridge_names_add(list, kind, bytes, bytes.count) == 1 else {
        preconditionFailure("OpenSSL has no memory for a name")
      }
    }
    return body(list)
  }
}
