public import Essentials

/// The envelope of everything that crosses the bridge (GBGBridge reference, "BridgeMessage").
public struct BridgeMessage: Codable, Identifiable, Sendable {
  let content: MessageContent

  /// The protocol's version; currently `1.0`.
  public var version: String { content.version }
  /// Joins a response to its request.
  public var correlationId: String { content.correlationId }
  /// Request, response or event.
  public var type: BridgeMessageType { content.type }
  /// Milliseconds since the Unix epoch.
  public var timestamp: TimeInterval { content.timestamp }
  /// The action, and its status, data or error.
  public var payload: BridgePayload { BridgePayload(content) }
  /// The payload's action, without building the rest. Each access makes a new string, as for ``correlationId``. Code that runs
  /// with each message compares bytes instead.
  package var action: String { content.action }
  /// Whether the envelope holds more members and elements than the limit. Then only its head was read, and it has no data.
  package var hasTooManyValues: Bool { content.hasTooManyValues }
  /// The size of the strings in the envelope's head, in bytes.
  package var headByteCount: Int { content.stringsByteCount }
  /// The payload's status.
  package var status: BridgeResponseStatus? { content.status }

  /// `{correlationId}-{timestamp}-{type}`; computed, never on the wire.
  public var id: String { "\(correlationId)-\(timestamp)-\(type)" }

  /// Creates a message.
  public init(
    version: String,
    correlationId: String,
    type: BridgeMessageType,
    timestamp: TimeInterval,
    payload: BridgePayload
  ) {
    content = MessageContent(
      version: version, correlationId: correlationId, type: type, timestamp: timestamp, payload: payload)
  }

  init(_ content: MessageContent) {
    self.content = content
  }

  /// Whether the page has made this request itself, although its action looks like that of another bridge. The shim marks such requests by their id.
  package var isPagesOwn: Bool {
    withCorrelationId { id in Self.pagesOwnPrefix.withUTF8Buffer { id.starts(with: $0) } }
  }

  private static let pagesOwnPrefix: StaticString = "footbridge-page-"

  /// Returns the same message with another timestamp.
  package func stamped(_ timestamp: TimeInterval) -> BridgeMessage {
    BridgeMessage(
      version: version, correlationId: correlationId, type: type, timestamp: timestamp, payload: payload)
  }

  /// The response that gives `answer` to a request.
  package init(_ answer: BridgeAnswer, to request: BridgeMessage, timestamp: TimeInterval) {
    self.init(
      version: "1.0", correlationId: request.correlationId, type: .response, timestamp: timestamp,
      payload: BridgePayload(
        action: request.action, storedData: answer.data, status: answer.status, error: answer.error))
  }

  private enum CodingKeys: String, CodingKey {
    case version, correlationId, type, timestamp, payload
  }

  /// Decodes a message with one of Foundation's decoders.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      version: try container.decode(String.self, forKey: .version),
      correlationId: try container.decode(String.self, forKey: .correlationId),
      type: try container.decode(BridgeMessageType.self, forKey: .type),
      timestamp: try container.decode(TimeInterval.self, forKey: .timestamp),
      payload: try container.decode(BridgePayload.self, forKey: .payload)
    )
  }

  /// Encodes the message with one of Foundation's encoders.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(version, forKey: .version)
    try container.encode(correlationId, forKey: .correlationId)
    try container.encode(type, forKey: .type)
    try container.encode(timestamp, forKey: .timestamp)
    try container.encode(payload, forKey: .payload)
  }
}

extension BridgeMessage {
  /// The approximate size of the message, or of its text, in bytes. Does not include members of its data.
  public var byteCount: Int {
    var count = 256 + content.textCount
    if case .text(let text) = content.data { count += text.count }
    if let error = content.error { count += error.code.utf8.count + error.message.utf8.count }
    return count
  }

  /// Identifies the message while it exists. A later message may get the same identifier.
  package var identity: ObjectIdentifier { content.identity }

  /// Calls `body` with the action in UTF-8.
  package func withAction<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    content.withAction(body)
  }

  /// Whether the action begins with a text. Compares bytes, since Unicode makes comparing strings slow.
  package func hasAction(withPrefix prefix: StaticString) -> Bool {
    withAction { action in
      let count = prefix.utf8CodeUnitCount
      guard action.count >= count, let start = action.baseAddress else { return false }
      return memcmp(start, prefix.utf8Start, count) == 0
    }
  }

  /// Calls `body` with the correlation id in UTF-8.
  package func withCorrelationId<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    content.withCorrelationId(body)
  }
}

/// The type of a bridge message (GBGBridge reference, "BridgeMessageType").
public enum BridgeMessageType: String, Codable, Sendable {
  /// A request, which expects a response.
  case request
  /// The response to the request with the same correlation id.
  case response
  /// A notification in either direction, without an answer.
  case event
}

extension BridgeMessage {
  /// Reads a request whose members are in the reference's order, without white space and escapes, as `JSON.stringify` writes nearly all
  /// of them. Returns nil for any other text, valid or not: the general parser must read it. (Without this, 24 % more instructions for a
  /// `query`.)
  static func usualRequest(_ bytes: UnsafeBufferPointer<UInt8>) -> MessageContent? {
    // The envelope and its payload are levels, too.
    var scanner = JSONScanner(bytes, depthLimit: JSONScanner.messageDepthLimit - 2)
    guard scanner.skip(#"{"version":"1.0","correlationId":"#), let correlationId = scanner.plainString(),
      scanner.skip(#","type":"request","timestamp":"#), let timestamp = try? scanner.readNumber(),
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
      type: .request, status: nil, timestamp: timestamp, version: nil, correlationId: correlationId,
      action: action, data: data, further: nil, textCount: bytes.count)
    return MessageContent(head, text: bytes)
  }
}
