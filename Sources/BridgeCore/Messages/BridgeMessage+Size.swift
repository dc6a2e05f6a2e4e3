extension BridgeMessage {
  /// About how many bytes the message occupies, or its text has; what its data has as members apart.
  public var byteCount: Int {
    let content = content
    var count = 256 + content.version.utf8.count + content.correlationId.utf8.count + content.payload.action.utf8.count
    if case .text(let text) = content.payload.storedData { count += text.count }
    if let error = content.payload.error { count += error.code.utf8.count + error.message.utf8.count }
    return count
  }
}
