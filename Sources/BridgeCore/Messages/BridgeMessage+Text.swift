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

  /// Reads an envelope from where it was received.
  public init(parsing bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    var scanner = JSONScanner(bytes, depthLimit: JSONScanner.messageDepthLimit)
    var version: String?
    var correlationId: String?
    var type: BridgeMessageType?
    var timestamp: Double?
    var payload: BridgePayload?
    try scanner.scanObject { (scanner, name) throws(JSONError) in
      if scanner.matches(name, "version") {
        version = try Self.readVersion(&scanner)
      } else if scanner.matches(name, "correlationId") {
        correlationId = try scanner.readString()
      } else if scanner.matches(name, "type") {
        type = try Self.readType(&scanner)
      } else if scanner.matches(name, "timestamp") {
        // A string is what JavaScript's own `toJSON` of a date gives.
        if scanner.peek() == UInt8(ascii: "\"") { throw scanner.error("timestamp must be a number") }
        timestamp = try scanner.readNumber()
      } else if scanner.matches(name, "payload") {
        payload = try Self.readPayload(&scanner)
      } else {
        try scanner.skipValue()
      }
    }
    try scanner.expectEnd()
    guard let version else { throw scanner.error("the envelope has no version") }
    guard let correlationId else { throw scanner.error("the envelope has no correlationId") }
    guard let type else { throw scanner.error("the envelope has no type") }
    guard let timestamp else { throw scanner.error("the envelope has no timestamp") }
    guard let payload else { throw scanner.error("the envelope has no payload") }
    self.init(version: version, correlationId: correlationId, type: type, timestamp: timestamp, payload: payload)
  }

  /// Writes the envelope. `sequence` is Footbridge's own member: the place of a host's event or request in its page's order.
  public func write(to writer: inout JSONWriter, sequence: Int? = nil) {
    let content = content
    let payload = content.payload
    let headRoom =
      128 + 2 * JSONCursor.numberRoom + JSONCursor.room(for: content.version)
      + JSONCursor.room(for: content.correlationId) + JSONCursor.room(for: payload.action)
    writer.write(room: headRoom) { cursor in
      cursor.write(literal: #"{"version":"#)
      cursor.write(content.version)
      cursor.write(literal: #","correlationId":"#)
      cursor.write(content.correlationId)
      cursor.write(literal: content.type.member)
      cursor.write(content.timestamp)
      if let sequence {
        cursor.write(literal: #","sequence":"#)
        cursor.write(Int64(sequence))
      }
      cursor.write(literal: #","payload":{"action":"#)
      cursor.write(payload.action)
      if payload.storedData != nil { cursor.write(literal: #","data":"#) }
    }
    switch payload.storedData {
    case .members(let members): writer.write(members)
    case .text(let text): writer.write(json: text)
    case nil: break
    }
    if let status = payload.status { writer.write(literal: status.member) }
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
    Result { () throws(JSONError) in try BridgeMessage(parsing: bytes) }
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
          data = .text(Array(UnsafeBufferPointer(rebasing: scanner.bytes[try scanner.skipValue()])))
        }
      } else if scanner.matches(name, "status") {
        status = try scanner.skipNull() ? nil : try readStatus(&scanner)
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

  private static func readVersion(_ scanner: inout JSONScanner) throws(JSONError) -> String {
    let version = try scanner.readStringToken()
    // There is one version: no string need be made of it.
    return scanner.matches(version, "1.0") ? "1.0" : scanner.string(version)
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

extension BridgeMessageType {
  /// The member of an envelope that tells the type, and the name of the one after it.
  fileprivate var member: StaticString {
    switch self {
    case .request: #","type":"request","timestamp":"#
    case .response: #","type":"response","timestamp":"#
    case .event: #","type":"event","timestamp":"#
    }
  }
}

extension BridgeResponseStatus {
  /// The member of a payload that tells the status.
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
