extension BridgeMessage {
  /// About how many bytes the message occupies, or its text has; what its data has as members apart.
  public var byteCount: Int {
    var count = 256 + version.utf8.count + correlationId.utf8.count + payload.action.utf8.count
    if case .text(let text) = payload.storedData { count += text.count }
    if let error = payload.error { count += error.code.utf8.count + error.message.utf8.count }
    return count
  }
}
