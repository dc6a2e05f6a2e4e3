public import Essentials

/// The envelope of each message between a page and its host (GBGBridge reference, "BridgeMessage").
///
/// ```swift
/// let message = BridgeMessage(
///   version: "1.0", correlationId: "7", type: .event, timestamp: 1_760_000_000_000,
///   payload: BridgePayload(action: "journey.progress", data: ["step": 2], status: nil, error: nil))
/// ```
public struct BridgeMessage: Codable, Identifiable, Sendable {
  let content: MessageContent

  /// The protocol's version; currently `1.0`.
  public var version: String { content.version }
  /// Identifies a request. Its response has the same one.
  public var correlationId: String { content.correlationId }
  /// Request, response or event.
  public var type: BridgeMessageType { content.type }
  /// Milliseconds since the Unix epoch.
  public var timestamp: TimeInterval { content.timestamp }
  /// The action, and its status, data or error.
  public var payload: BridgePayload { BridgePayload(content) }
  /// The payload's action. Each access makes a new string, as for ``correlationId``. Code that runs for each message compares bytes instead:
  /// see ``withAction(_:)``.
  package var action: String { content.action }
  /// Whether the envelope has more members and elements than the limit. Then the message has no data.
  package var hasTooManyValues: Bool { content.hasTooManyValues }
  /// The size of version, correlation id and action together, in bytes.
  package var headByteCount: Int { content.stringsByteCount }
  /// The payload's status.
  package var status: BridgeResponseStatus? { content.status }

  /// `{correlationId}-{timestamp}-{type}`. Computed; not a member of the envelope.
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

  /// The number of a message that the page itself has posted to `gbgBridge`, if it could be mistaken for another one: its action looks like
  /// that of another bridge, or its correlation id is that of another call. The shim numbers such messages, in the member `footbridgeCall` of the
  /// envelope, and finds the call of an answer by it. Nil for all other messages.
  package var pageCall: Int? { content.pageCall }

  /// Returns the same message with another timestamp.
  package func stamped(_ timestamp: TimeInterval) -> BridgeMessage {
    BridgeMessage(
      version: version, correlationId: correlationId, type: type, timestamp: timestamp, payload: payload)
  }

  /// Creates the response to `request` with `answer`.
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
  /// The approximate size of the message in memory, in bytes: for a received message, with its whole text. Does not include data that was
  /// given as ``JSONValue``s.
  public var byteCount: Int {
    var count = 256 + content.textCount
    if case .text(let text) = content.data { count += text.count }
    if let error = content.error { count += error.code.utf8.count + error.message.utf8.count }
    return count
  }

  /// Identifies the message as long as it exists. A later message may get the same identifier.
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
  /// A notification in either direction. It gets no response.
  case event
}

extension BridgeMessage {
  /// Reads a request with its members in the reference's order, without white space between them and without escapes in id and action:
  /// `JSON.stringify` writes nearly all requests like this. Returns nil for any other text, valid or not, which the general parser then reads.
  /// (Without this, 24 % more instructions for a `query`.)
  static func usualRequest(_ bytes: UnsafeBufferPointer<UInt8>) -> MessageContent? {
    // The envelope and its payload are two more levels.
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
