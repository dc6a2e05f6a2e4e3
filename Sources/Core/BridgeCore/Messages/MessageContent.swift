/// The content of a message: one object, followed in memory by its JSON text. A message from a page needs one allocation, and passing it on
/// copies one reference.
///
/// A received message keeps its text, and makes strings of it on access. Most messages of a page are routed, answered and kept without any
/// string.
///
/// Sendable, since it never changes.
struct MessageContent: @unchecked Sendable {
  /// The positions of the parts, and the values that have no text.
  struct Head {
    let type: BridgeMessageType
    let status: BridgeResponseStatus?
    let timestamp: Double
    /// The version; nil for `1.0`, the only one so far.
    let version: JSONStringToken?
    let correlationId: JSONStringToken
    let action: JSONStringToken
    /// The position of the payload's data; nil when there is none, or when it is in ``further``.
    let data: Range<Int>?
    /// The parts that few messages have.
    let further: Further?
    /// How long the text is, in bytes.
    let textCount: Int
    /// Whether the text had more members and elements than the limit, so that its rest was not read.
    var hasTooManyValues = false
  }

  /// The parts that few messages from a page have.
  final class Further: Sendable {
    let error: BridgeErrorPayload?
    /// The data of a message that this process made.
    let data: PayloadData?
    /// The number of a message that the page has posted. See ``BridgeMessage/pageCall``.
    let pageCall: Int?

    init(error: BridgeErrorPayload?, data: PayloadData?, pageCall: Int? = nil) {
      self.error = error
      self.data = data
      self.pageCall = pageCall
    }
  }

  private let storage: ManagedBuffer<Head, UInt8>

  /// Creates the content of a message that was received as `text`.
  init(_ head: Head, text: UnsafeBufferPointer<UInt8>) {
    storage = .create(minimumCapacity: text.count) { _ in head }
    storage.withUnsafeMutablePointerToElements { elements in
      if let start = text.baseAddress { elements.initialize(from: start, count: text.count) }
    }
  }

  /// Creates the content of a message that this process makes.
  init(
    version: String,
    correlationId: String,
    type: BridgeMessageType,
    timestamp: Double,
    payload: BridgePayload
  ) {
    let action = payload.action
    let version = version == "1.0" ? nil : version
    let room = JSONCursor.room(for: correlationId) + JSONCursor.room(for: action) + (version.map(JSONCursor.room) ?? 0)
    let further =
      payload.error == nil && payload.storedData == nil
      ? nil : Further(error: payload.error, data: payload.storedData)
    self = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { memory in
      var cursor = JSONCursor(memory)
      let idToken = cursor.writeToken(correlationId)
      let actionToken = cursor.writeToken(action)
      let versionToken = version.map { cursor.writeToken($0) }
      let head = Head(
        type: type, status: payload.status, timestamp: timestamp, version: versionToken, correlationId: idToken,
        action: actionToken, data: nil, further: further, textCount: cursor.count)
      return MessageContent(head, text: UnsafeBufferPointer(rebasing: memory[..<cursor.count]))
    }
  }

  /// Identifies the message while it exists.
  var identity: ObjectIdentifier { ObjectIdentifier(storage) }
  var type: BridgeMessageType { storage.header.type }
  var status: BridgeResponseStatus? { storage.header.status }
  var timestamp: Double { storage.header.timestamp }
  var version: String { storage.header.version.map(string) ?? "1.0" }
  var correlationId: String { string(storage.header.correlationId) }
  var action: String { string(storage.header.action) }
  var error: BridgeErrorPayload? { storage.header.further?.error }
  var pageCall: Int? { storage.header.further?.pageCall }
  var textCount: Int { storage.header.textCount }
  var hasTooManyValues: Bool { storage.header.hasTooManyValues }
  /// The size of version, correlation id and action together, in bytes.
  var stringsByteCount: Int {
    storage.header.correlationId.range.count + storage.header.action.range.count
      + (storage.header.version?.range.count ?? 0)
  }

  /// The payload's data; nil when there is none.
  var data: PayloadData? {
    if storage.header.data != nil { return .received(self) }
    return storage.header.further?.data
  }

  /// The members of received data.
  var receivedMembers: [String: JSONValue] {
    guard let range = storage.header.data else { return [:] }
    // Only text that a scanner has accepted as an object is ever stored, so there is no error to report.
    return withText {
      try? JSONValue(parsing: UnsafeBufferPointer(rebasing: $0[range]), depthLimit: JSONScanner.messageDepthLimit)
    }?.objectValue ?? [:]
  }

  /// Calls `body` with the text of received data.
  func withReceivedData<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withText { body(UnsafeBufferPointer(rebasing: $0[storage.header.data ?? 0..<0])) }
  }

  /// Calls `body` with the action in UTF-8.
  func withAction<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withBytes(of: storage.header.action, body)
  }

  /// Calls `body` with the correlation id in UTF-8.
  func withCorrelationId<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withBytes(of: storage.header.correlationId, body)
  }

  /// The most room that version, correlation id and action need as JSON strings, in bytes.
  var stringsRoom: Int {
    Self.room(storage.header.correlationId) + Self.room(storage.header.action)
      + (storage.header.version.map(Self.room) ?? 5)
  }

  /// Reserves six bytes for each byte of a string with escapes, since they may be written in another form than they were received.
  private static func room(_ token: JSONStringToken) -> Int {
    token.range.count * (token.hasEscapes ? 6 : 1) + 2
  }

  /// Writes the version as a JSON string.
  func writeVersion(to cursor: inout JSONCursor) {
    if let version = storage.header.version { write(version, to: &cursor) } else { cursor.write(literal: #""1.0""#) }
  }

  func writeCorrelationId(to cursor: inout JSONCursor) { write(storage.header.correlationId, to: &cursor) }

  func writeAction(to cursor: inout JSONCursor) { write(storage.header.action, to: &cursor) }

  /// Copies a string without escapes unchanged. Decodes one with escapes first: an escaped lone surrogate becomes U+FFFD.
  private func write(_ token: JSONStringToken, to cursor: inout JSONCursor) {
    if token.hasEscapes { return cursor.write(string(token)) }
    withText { cursor.write(plain: UnsafeBufferPointer(rebasing: $0[token.range])) }
  }

  private func withBytes<Result>(
    of token: JSONStringToken, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    if token.hasEscapes {
      var string = string(token)
      return string.withUTF8(body)
    }
    return withText { body(UnsafeBufferPointer(rebasing: $0[token.range])) }
  }

  private func string(_ token: JSONStringToken) -> String {
    withText { JSONScanner($0).string(token) }
  }

  private func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    storage.withUnsafeMutablePointers { head, elements in
      body(UnsafeBufferPointer(start: elements, count: head.pointee.textCount))
    }
  }
}
