/// One event of a stream (HTML standard, "Server-sent events").
package struct ServerSentEvent: Sendable, Hashable {
  /// The kind of the event; `message` unless the stream names one.
  package var name: String
  /// The event's id; nil if the stream has named none.
  package var id: String?
  /// The data.
  package var data: String

  /// Creates an event.
  package init(name: String = "message", id: String? = nil, data: String = "") {
    self.name = name
    self.id = id
    self.data = data
  }
}

/// Parses a stream of server-sent events from a Footbridge server: lines end with LF or CRLF.
package struct ServerSentEventReader: Sendable {
  private var line: [UInt8] = []
  private var event = ServerSentEvent()
  private var hasData = false

  /// The longest line, in bytes.
  private static let lineLimit = 16 << 20

  /// Creates a reader at the beginning of a stream.
  package init() {}

  /// Reads the next bytes, and returns the events that end in them.
  ///
  /// - Throws: ``ControlFailure`` if a line is too long.
  package mutating func read(_ bytes: [UInt8]) throws(ControlFailure) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0, let event = endLine() { events.append(event) }
      guard line.count + part.element.count <= Self.lineLimit else { throw .tooLarge(limit: Self.lineLimit) }
      line += part.element
    }
    return events
  }

  /// Ends a line; returns the event that an empty line ends.
  private mutating func endLine() -> ServerSentEvent? {
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    defer { line = [] }
    guard !line.isEmpty else {
      defer {
        event = ServerSentEvent(id: event.id)
        hasData = false
      }
      return hasData ? event : nil
    }
    let text = String(decoding: line, as: UTF8.self)
    let name = text.prefix { $0 != ":" }
    var value = text.dropFirst(name.count + 1)
    if value.first == " " { value.removeFirst() }
    switch name {
    case "data":
      event.data += (hasData ? "\n" : "") + value
      hasData = true
    case "event": event.name = String(value)
    case "id": event.id = String(value)
    default: break
    }
    return nil
  }
}
