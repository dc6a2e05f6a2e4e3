extension JSONValue {
  /// Reads one JSON text (RFC 8259): strict, nested at most 512 deep, of members with the same name the last one.
  public init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
    try self.init(parsing: bytes, depthLimit: JSONScanner.depthLimit)
  }

  init(parsing bytes: some Sequence<UInt8>, depthLimit: Int) throws(JSONError) {
    let result =
      bytes.withContiguousStorageIfAvailable { Self.parse($0, depthLimit) }
      ?? Array(bytes).withUnsafeBufferPointer { Self.parse($0, depthLimit) }
    self = try result.get()
  }

  /// Reads the JSON text in `text`.
  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: text.utf8)
  }

  /// The value as JSON text without white space, members sorted by name so that the same value always gives the same text.
  public var jsonText: String {
    var writer = JSONWriter()
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>, _ depthLimit: Int) -> Result<JSONValue, JSONError> {
    Result { () throws(JSONError) in
      var scanner = JSONScanner(bytes, depthLimit: depthLimit)
      let value = try scanner.readValue()
      try scanner.expectEnd()
      return value
    }
  }
}
