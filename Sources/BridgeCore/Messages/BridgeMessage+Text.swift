extension BridgeMessage {
  /// Reads an envelope. Unknown members are passed over; a missing or wrong one is an error that says which.
  ///
  /// Only the envelope itself is built: `data` is checked and kept as text until ``BridgePayload/data`` is asked for.
  public init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
    let result =
      bytes.withContiguousStorageIfAvailable { Self.parse($0) }
      ?? Array(bytes).withUnsafeBufferPointer { Self.parse($0) }
    self = try result.get()
  }

  /// Writes the envelope. `sequence` is Footbridge's own member: the place of a host's event or request in its page's order.
  public func write(to writer: inout JSONWriter, sequence: Int? = nil) {
    writer.write(literal: #"{"version":"#)
    writer.write(version)
    writer.write(literal: #","correlationId":"#)
    writer.write(correlationId)
    writer.write(literal: #","type":""#)
    switch type {
    case .request: writer.write(literal: "request")
    case .response: writer.write(literal: "response")
    case .event: writer.write(literal: "event")
    }
    writer.write(literal: #"","timestamp":"#)
    writer.write(timestamp)
    if let sequence {
      writer.write(literal: #","sequence":"#)
      writer.write(Int64(sequence))
    }
    writer.write(literal: #","payload":{"action":"#)
    writer.write(payload.action)
    switch payload.storedData {
    case .members(let members):
      writer.write(literal: #","data":"#)
      writer.write(members)
    case .text(let text):
      writer.write(literal: #","data":"#)
      writer.write(json: text)
    case nil: break
    }
    if let status = payload.status {
      writer.write(literal: #","status":""#)
      writer.write(json: status.rawValue.utf8)
      writer.write(literal: #"""#)
    }
    if let error = payload.error {
      writer.write(literal: #","error":{"code":"#)
      writer.write(error.code)
      writer.write(literal: #","message":"#)
      writer.write(error.message)
      writer.write(literal: error.recoverable ? #","recoverable":true}"# : #","recoverable":false}"#)
    }
    writer.write(literal: "}}")
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<BridgeMessage, JSONError> {
    Result { () throws(JSONError) in
      var scanner = JSONScanner(bytes, depthLimit: JSONScanner.messageDepthLimit)
      var parts = Parts()
      try scanner.scanObject { (scanner, name) throws(JSONError) in
        if scanner.matches(name, "version") {
          parts.version = try scanner.readString()
        } else if scanner.matches(name, "correlationId") {
          parts.correlationId = try scanner.readString()
        } else if scanner.matches(name, "type") {
          parts.type = try readType(&scanner)
        } else if scanner.matches(name, "timestamp") {
          parts.timestamp = try scanner.readNumber()
        } else if scanner.matches(name, "payload") {
          parts.payload = try readPayload(&scanner)
        } else {
          try scanner.skipValue()
        }
      }
      try scanner.expectEnd()
      return try parts.message(at: scanner.position)
    }
  }

  private static func readPayload(_ scanner: inout JSONScanner) throws(JSONError) -> BridgePayload {
    var action: String?
    var data: PayloadData?
    var status: BridgeResponseStatus?
    var error: BridgeErrorPayload?
    try scanner.scanObject { (scanner, name) throws(JSONError) in
      if scanner.matches(name, "action") {
        action = try scanner.readString()
      } else if scanner.matches(name, "data") {
        if try scanner.skipNull() {
          data = nil
        } else {
          guard scanner.peek() == UInt8(ascii: "{") else { throw scanner.error("data must be an object") }
          data = .text(Array(scanner.bytes[try scanner.skipValue()]))
        }
      } else if scanner.matches(name, "status") {
        status = try scanner.skipNull() ? nil : try readCase(&scanner, "status")
      } else if scanner.matches(name, "error") {
        error = try scanner.skipNull() ? nil : try readError(&scanner)
      } else {
        try scanner.skipValue()
      }
    }
    guard let action else { throw scanner.error("the payload has no action") }
    return BridgePayload(action: action, storedData: data, status: status, error: error)
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

  private static func readType(_ scanner: inout JSONScanner) throws(JSONError) -> BridgeMessageType {
    // Nearly all messages are requests: they need no string to be made and compared.
    var ahead = scanner
    if ahead.matches(try ahead.readStringToken(), "request") {
      scanner = ahead
      return .request
    }
    return try readCase(&scanner, "type")
  }

  private static func readCase<Case: RawRepresentable<String>>(
    _ scanner: inout JSONScanner,
    _ member: String
  ) throws(JSONError) -> Case {
    guard let value = Case(rawValue: try scanner.readString()) else { throw scanner.error("unknown \(member)") }
    return value
  }

  /// The members of an envelope as far as they were seen.
  private struct Parts {
    var version: String?
    var correlationId: String?
    var type: BridgeMessageType?
    var timestamp: Double?
    var payload: BridgePayload?

    func message(at end: Int) throws(JSONError) -> BridgeMessage {
      guard let version else { throw JSONError("the envelope has no version", offset: end) }
      guard let correlationId else { throw JSONError("the envelope has no correlationId", offset: end) }
      guard let type else { throw JSONError("the envelope has no type", offset: end) }
      guard let timestamp else { throw JSONError("the envelope has no timestamp", offset: end) }
      guard let payload else { throw JSONError("the envelope has no payload", offset: end) }
      return BridgeMessage(
        version: version,
        correlationId: correlationId,
        type: type,
        timestamp: timestamp,
        payload: payload
      )
    }
  }
}
