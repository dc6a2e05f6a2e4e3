import BridgeCore

/// A value of the contract, which goes to pages as JSON.
protocol OnsideValue {
  /// Writes the value as the contract has it: `undefined` is an absent key.
  func write(to writer: inout JSONWriter)
}

extension OnsideValue {
  /// The value as text.
  var text: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// The value as a member of something else.
  var json: JSONValue { (try? JSONValue(parsing: text)) ?? .null }
}
