extension BridgeMessage {
  /// Reads a request whose members stand in the reference's order, without white space and escapes: what `JSON.stringify` makes of nearly all
  /// of them. Nil for any other text, whatever it is: it has to be read with more care.
  static func usualRequest(_ bytes: UnsafeBufferPointer<UInt8>) -> MessageContent? {
    // The envelope and its payload are levels, too.
    var scanner = JSONScanner(bytes, depthLimit: JSONScanner.messageDepthLimit - 2)
    guard scanner.skip(#"{"version":"1.0","correlationId":"#), let correlationId = scanner.plainString(),
      scanner.skip(#","type":"request","timestamp":"#), let timestamp = scanner.plainInteger(),
      scanner.skip(#","payload":{"action":"#), let action = scanner.plainString()
    else { return nil }
    var data: Range<Int>?
    if scanner.skip(#","data":"#) {
      data = scanner.plainObject()
      if data == nil {
        guard scanner.peek() == UInt8(ascii: "{"), let object = try? scanner.skipValue() else { return nil }
        data = object
      }
    }
    guard scanner.skip("}}"), scanner.position == bytes.count else { return nil }
    let head = MessageContent.Head(
      type: .request, status: nil, timestamp: Double(timestamp), version: nil, correlationId: correlationId,
      action: action, data: data, further: nil, textCount: bytes.count)
    return MessageContent(head, text: bytes)
  }
}
