import BridgeCore

/// A value that a store keeps for each purchase, so that it is written without Foundation's coders. Its text is what those would have written,
/// and is read by them.
protocol OnsideStored: Codable {
  /// Writes the value as its `Decodable` reads it.
  func writeStored(to writer: inout JSONWriter)
}

extension OnsideStored {
  /// The value as JSON text.
  func makeStoredText() -> [UInt8] {
    var writer = JSONWriter()
    writer.bytes.reserveCapacity(1024)
    writeStored(to: &writer)
    return writer.bytes
  }
}
