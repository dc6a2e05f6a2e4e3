extension BridgeMessage {
  /// Reads an envelope from JSON text. Ignores unknown members.
  ///
  /// ```swift
  /// let text = #"{"version":"1.0","correlationId":"7","type":"request","timestamp":0,"payload":{"action":"nfc.read"}}"#
  /// let message = try BridgeMessage(parsing: text.utf8)
  /// ```
  ///
  /// Checks the whole text, but builds only one object that holds it. Strings and `data` are read on access.
  ///
  /// - Throws: ``JSONError`` if the text is not JSON, or if a member is missing or has another type. The error names a missing member, and
  ///   has the position of a wrong one.
  public init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
    let result =
      bytes.withContiguousStorageIfAvailable { Self.parse($0) }
      ?? Array(bytes).withUnsafeBufferPointer { Self.parse($0) }
    self = try result.get()
  }

  /// Reads an envelope from the buffer in which it was received. Copies the text.
  ///
  /// - Throws: ``JSONError`` if the text is not JSON, or if a member is missing or has another type.
  public init(parsing bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    try self.init(parsing: bytes, valueLimit: .max)
  }

  /// Reads an envelope with a limit on the total number of members and elements. Stops at the limit. If correlation id, type and action came
  /// before it, ``hasTooManyValues`` is true and the message has no data, so that it can still be answered. Otherwise throws an error.
  package init(parsing bytes: UnsafeBufferPointer<UInt8>, valueLimit: Int) throws(JSONError) {
    // Each value takes at least two bytes, with its separator. A short text cannot hold too many, so they are not counted.
    if bytes.count / 2 <= valueLimit, let usual = Self.usualRequest(bytes) {
      self.init(usual)
      return
    }
    var scanner = JSONScanner(bytes, depthLimit: JSONScanner.messageDepthLimit, valueLimit: valueLimit)
    var version: JSONStringToken?
    var correlationId: JSONStringToken?
    var type: BridgeMessageType?
    var timestamp: Double?
    var payload: PayloadParts?
    var pageCall: Int?
    do throws(JSONError) {
      try scanner.scanObject { (scanner, name) throws(JSONError) in
        if scanner.matches(name, "version") {
          version = try scanner.readStringToken()
        } else if scanner.matches(name, "correlationId") {
          correlationId = try scanner.readStringToken()
        } else if scanner.matches(name, "type") {
          type = try Self.readType(&scanner)
        } else if scanner.matches(name, "timestamp") {
          // JavaScript's `toJSON` of a date gives a string.
          if scanner.peek() == UInt8(ascii: "\"") { throw scanner.error("timestamp must be a number") }
          timestamp = try scanner.readNumber()
        } else if scanner.matches(name, "payload") {
          payload = PayloadParts()
          try Self.readPayload(&scanner, into: &payload)
        } else if scanner.matches(name, "footbridgeCall") {
          pageCall = try Self.readPageCall(&scanner)
        } else {
          try scanner.skipValue()
        }
      }
      try scanner.expectEnd()
    } catch {
      guard scanner.valuesLeft < 0, let correlationId, let type, let action = payload?.action else { throw error }
      // The rest of the text is not kept.
      let text = UnsafeBufferPointer(rebasing: bytes[..<scanner.position])
      let head = MessageContent.Head(
        type: type, status: nil, timestamp: timestamp ?? 0, version: nil, correlationId: correlationId, action: action,
        data: nil, further: pageCall.map { MessageContent.Further(error: nil, data: nil, pageCall: $0) },
        textCount: text.count, hasTooManyValues: true)
      self.init(MessageContent(head, text: text))
      return
    }
    guard let version else { throw scanner.error("the envelope has no version") }
    guard let correlationId else { throw scanner.error("the envelope has no correlationId") }
    guard let type else { throw scanner.error("the envelope has no type") }
    guard let timestamp else { throw scanner.error("the envelope has no timestamp") }
    guard let payload, let action = payload.action else { throw scanner.error("the envelope has no payload") }
    let further =
      payload.error == nil && pageCall == nil
      ? nil : MessageContent.Further(error: payload.error, data: nil, pageCall: pageCall)
    let head = MessageContent.Head(
      type: type, status: payload.status, timestamp: timestamp,
      version: scanner.matches(version, "1.0") ? nil : version, correlationId: correlationId, action: action,
      data: payload.data, further: further, textCount: bytes.count)
    self.init(MessageContent(head, text: bytes))
  }

  /// Writes the envelope as JSON text. `sequence` is a member of Footbridge, not of the reference: the position of the host's event or request
  /// among those for the same page.
  public func write(to writer: inout JSONWriter, sequence: Int? = nil) {
    write(to: &writer, sequence: sequence, pageCall: nil)
  }

  /// Writes the envelope as JSON text. `pageCall` is the number of the call that the message answers.
  package func write(to writer: inout JSONWriter, sequence: Int?, pageCall: Int?) {
    let content = content
    let data = content.data
    writer.write(room: 180 + content.stringsRoom + 3 * JSONCursor.numberRoom) { cursor in
      cursor.write(literal: #"{"version":"#)
      content.writeVersion(to: &cursor)
      cursor.write(literal: #","correlationId":"#)
      content.writeCorrelationId(to: &cursor)
      cursor.write(literal: content.type.member)
      cursor.write(content.timestamp)
      if let sequence {
        cursor.write(literal: #","sequence":"#)
        cursor.write(Int64(sequence))
      }
      cursor.write(pageCall: pageCall)
      cursor.write(literal: #","payload":{"action":"#)
      content.writeAction(to: &cursor)
      if data != nil { cursor.write(literal: #","data":"#) }
    }
    writer.write(data, status: content.status, error: content.error)
  }

  /// Writes the envelope of the answer to this request.
  public func write(answer: BridgeAnswer, timestamp: Double, to writer: inout JSONWriter) {
    writer.write(room: answerHeadRoom) { writeHead(of: answer, timestamp: timestamp, to: &$0) }
    writer.write(answer.data, status: answer.status, error: answer.error)
  }

  /// Returns the envelope of the answer to this request.
  package func text(of answer: BridgeAnswer, timestamp: Double) -> [UInt8] {
    guard let room = room(forAnswer: answer) else {
      var writer = JSONWriter()
      write(answer: answer, timestamp: timestamp, to: &writer)
      return writer.bytes
    }
    return Array(unsafeUninitializedCapacity: room) { memory, count in
      count = write(answer: answer, timestamp: timestamp, into: memory)
    }
  }

  /// The most bytes that ``write(answer:timestamp:into:)`` writes; nil if the answer has no data in the form of JSON text.
  package func room(forAnswer answer: BridgeAnswer) -> Int? {
    answer.text.map { $0.count + answerHeadRoom + 32 }
  }

  /// Writes the envelope of the answer to this request into memory with enough room. Returns its size in bytes.
  package func write(
    answer: BridgeAnswer, timestamp: Double, into memory: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var cursor = JSONCursor(memory)
    writeHead(of: answer, timestamp: timestamp, to: &cursor)
    answer.text?.withUnsafeBufferPointer { cursor.write(json: $0) }
    cursor.write(literal: answer.status.member)
    cursor.write(literal: "}}")
    return cursor.count
  }

  private var answerHeadRoom: Int { 180 + content.stringsRoom + 2 * JSONCursor.numberRoom }

  private func writeHead(of answer: BridgeAnswer, timestamp: Double, to cursor: inout JSONCursor) {
    cursor.write(literal: #"{"version":"1.0","correlationId":"#)
    content.writeCorrelationId(to: &cursor)
    cursor.write(literal: BridgeMessageType.response.member)
    cursor.write(timestamp)
    cursor.write(pageCall: content.pageCall)
    cursor.write(literal: #","payload":{"action":"#)
    content.writeAction(to: &cursor)
    if answer.hasData { cursor.write(literal: #","data":"#) }
  }

  /// The positions of the parts of a payload.
  private struct PayloadParts {
    var action: JSONStringToken?
    var data: Range<Int>?
    var status: BridgeResponseStatus?
    var error: BridgeErrorPayload?
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<BridgeMessage, JSONError> {
    Result { () throws(JSONError) in try BridgeMessage(parsing: bytes) }
  }

  private static func readPayload(_ scanner: inout JSONScanner, into payload: inout PayloadParts?) throws(JSONError) {
    try scanner.scanObject { (scanner, name) throws(JSONError) in
      if scanner.matches(name, "action") {
        payload?.action = try scanner.readStringToken()
      } else if scanner.matches(name, "data") {
        if try scanner.skipNull() {
          payload?.data = nil
        } else {
          guard scanner.peek() == UInt8(ascii: "{") else { throw scanner.error("data must be an object") }
          payload?.data = try scanner.skipValue()
        }
      } else if scanner.matches(name, "status") {
        payload?.status = try scanner.skipNull() ? nil : try readStatus(&scanner)
      } else if scanner.matches(name, "error") {
        payload?.error = try scanner.skipNull() ? nil : try readError(&scanner)
      } else {
        try scanner.skipValue()
      }
    }
    if payload?.action == nil { throw scanner.error("the payload has no action") }
  }

  private static func readError(_ scanner: inout JSONScanner) throws(JSONError) -> BridgeErrorPayload {
    var code: String?
    var message: String?
    var recoverable: Bool?
    try scanner.scanObject { (scanner, name) throws(JSONError) in
      if scanner.matches(name, "code") {
        code = try scanner.readString()
      } else if scanner.matches(name, "message") {
        message = try scanner.readString()
      } else if scanner.matches(name, "recoverable") {
        recoverable = try scanner.readBool()
      } else {
        try scanner.skipValue()
      }
    }
    guard let code, let message, let recoverable else {
      throw scanner.error("an error needs code, message and recoverable")
    }
    return BridgeErrorPayload(code: code, message: message, recoverable: recoverable)
  }

  /// Reads the number of a page's call. Any other value is ignored, since a page can write anything.
  private static func readPageCall(_ scanner: inout JSONScanner) throws(JSONError) -> Int? {
    guard let first = scanner.peek(), UInt8(ascii: "0")...UInt8(ascii: "9") ~= first else {
      try scanner.skipValue()
      return nil
    }
    return Int(exactly: try scanner.readNumber()).flatMap { 1...(1 << 53) ~= $0 ? $0 : nil }
  }

  private static func readType(_ scanner: inout JSONScanner) throws(JSONError) -> BridgeMessageType {
    let type = try scanner.readStringToken()
    // Nearly all messages are requests.
    if scanner.matches(type, "request") { return .request }
    guard let type = BridgeMessageType(rawValue: scanner.string(type)) else { throw scanner.error("unknown type") }
    return type
  }

  private static func readStatus(_ scanner: inout JSONScanner) throws(JSONError) -> BridgeResponseStatus {
    guard let status = BridgeResponseStatus(rawValue: try scanner.readString()) else {
      throw scanner.error("unknown status")
    }
    return status
  }
}

extension JSONCursor {
  /// Writes the number of a page's call, if there is one.
  fileprivate mutating func write(pageCall: Int?) {
    guard let pageCall else { return }
    write(literal: #","footbridgeCall":"#)
    write(Int64(pageCall))
  }
}

extension JSONWriter {
  /// Writes the envelope from the value of `data` to its end. The name `data` is already written.
  fileprivate mutating func write(_ data: PayloadData?, status: BridgeResponseStatus?, error: BridgeErrorPayload?) {
    switch data {
    case .members(let members): write(members)
    case .text(let text): write(json: text)
    case .received(let content): content.withReceivedData { bytes.append(contentsOf: $0) }
    case nil: break
    }
    if let status { write(literal: status.member) }
    if let error {
      write(literal: #","error":{"code":"#)
      write(error.code)
      write(literal: #","message":"#)
      write(error.message)
      write(literal: error.recoverable ? #","recoverable":true}"# : #","recoverable":false}"#)
    }
    write(literal: "}}")
  }
}

extension BridgeMessageType {
  /// The member `type` of an envelope, and the name of the next one.
  fileprivate var member: StaticString {
    switch self {
    case .request: #","type":"request","timestamp":"#
    case .response: #","type":"response","timestamp":"#
    case .event: #","type":"event","timestamp":"#
    }
  }
}

extension BridgeResponseStatus {
  /// The member `status` of a payload.
  fileprivate var member: StaticString {
    switch self {
    case .success: #","status":"success""#
    case .error: #","status":"error""#
    case .cancelled: #","status":"cancelled""#
    case .unsupported: #","status":"unsupported""#
    case .acknowledged: #","status":"acknowledged""#
    }
  }
}
