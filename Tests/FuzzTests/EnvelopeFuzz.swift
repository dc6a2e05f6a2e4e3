import BridgeCore

/// Envelopes and JSON: what was read is written so that it is read again as the same.
enum EnvelopeFuzz {
  static func check(_ input: [UInt8]) throws {
    if let value = try? JSONValue(parsing: input) {
      let again = try JSONValue(parsing: value.jsonText)
      try FuzzFinding.unless(again == value, "Read again it is another value: \(again)")
    }
    guard let message = try? BridgeMessage(parsing: input) else { return }
    let text = written(message)
    let again = try BridgeMessage(parsing: text)
    try FuzzFinding.unless(
      written(again) == text && again.payload.data == message.payload.data, "Read again it is another message: \(again)"
    )
  }

  private static func written(_ message: BridgeMessage) -> [UInt8] {
    var writer = JSONWriter()
    message.write(to: &writer)
    return writer.bytes
  }
}
