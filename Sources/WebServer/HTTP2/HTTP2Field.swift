import CNghttp2

/// A field as HTTP/2 has it, pseudo-header fields included (RFC 9113, section 8.2).
struct HTTP2Field: Hashable, Sendable {
  let name: [UInt8]
  let value: [UInt8]

  /// Calls `body` with the fields as nghttp2 takes them. It copies them.
  static func withPointers(to fields: [HTTP2Field], _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Void) {
    var bytes = fields.flatMap { $0.name + $0.value }
    bytes.withUnsafeMutableBufferPointer { bytes in
      var start = bytes.baseAddress
      var pairs: [nghttp2_nv] = []
      for field in fields {
        var pair = nghttp2_nv()
        pair.name = start
        pair.namelen = field.name.count
        start = start.map { $0 + field.name.count }
        pair.value = start
        pair.valuelen = field.value.count
        start = start.map { $0 + field.value.count }
        pairs.append(pair)
      }
      body(pairs, pairs.count)
    }
  }
}
