import BridgeCore
import Foundation
import Testing

@Suite struct BridgeMessageTests {
  static let request = #"""
    {"version":"1.0","correlationId":"c-1","type":"request","timestamp":1760000000000,"extra":[1,{"a":2}],
     "payload":{"action":"capability.query","data":{"limit":25,"note":"é\n"},"more":null}}
    """#

  @Test func `an envelope is read, and its unknown members are ignored`() throws {
    let message = try BridgeMessage(parsing: Self.request.utf8)
    #expect(message.version == "1.0")
    #expect(message.correlationId == "c-1")
    #expect(message.type == .request)
    #expect(message.timestamp == 1_760_000_000_000)
    #expect(message.payload.action == "capability.query")
    #expect(message.payload.data == ["limit": 25, "note": "é\n"])
    #expect(message.payload.status == nil)
    #expect(message.payload.error == nil)
    #expect(message.id == "c-1-1760000000000.0-request")
  }

  @Test func `white space may stand before any value, also before a number of many digits`() throws {
    let text =
      #"{ "version": "1.0", "correlationId": "c", "type": "request", "timestamp": 1795295423123.4568, "#
      + #""payload": { "action": "a" } }"#
    #expect(try BridgeMessage(parsing: text.utf8).timestamp == 1_795_295_423_123.4568)
  }

  @Test func `absent data and null data are both read as nil`() throws {
    for payload in [#"{"action":"a"}"#, #"{"action":"a","data":null,"status":null,"error":null}"#] {
      let text = #"{"version":"1.0","correlationId":"c","type":"request","timestamp":1,"payload":\#(payload)}"#
      #expect(try BridgeMessage(parsing: text.utf8).payload.data == nil)
    }
  }

  @Test(arguments: [
    ("version", "the envelope has no version"), ("correlationId", "the envelope has no correlationId"),
    ("type", "the envelope has no type"), ("timestamp", "the envelope has no timestamp"),
    ("payload", "the envelope has no payload"),
  ])
  func `the error about a missing member names it`(member: String, reason: String) throws {
    var envelope = try #require(try JSONValue(parsing: Self.request).objectValue)
    envelope[member] = nil
    let error = #expect(throws: JSONError.self) {
      try BridgeMessage(parsing: JSONValue.object(envelope).jsonText.utf8)
    }
    #expect(error?.reason == reason)
  }

  @Test func `the error about a timestamp that is a string asks for a number`() throws {
    var envelope = try #require(try JSONValue(parsing: Self.request).objectValue)
    envelope["timestamp"] = "2026-01-31T12:00:00Z"
    let error = #expect(throws: JSONError.self) {
      try BridgeMessage(parsing: JSONValue.object(envelope).jsonText.utf8)
    }
    #expect(error?.reason == "timestamp must be a number")
  }

  @Test(
    arguments: [
      ("version", 1), ("correlationId", nil), ("type", "demand"), ("timestamp", "now"), ("payload", []),
      ("payload", ["action": 1]),
      ("payload", ["data": [:]]), ("payload", ["action": "a", "data": []]),
      ("payload", ["action": "a", "status": "fine"]),
      ("payload", ["action": "a", "error": ["code": "A", "message": "b"]]),
    ] as [(String, JSONValue)])
  func `a member of the wrong kind is refused`(member: String, value: JSONValue) throws {
    var envelope = try #require(try JSONValue(parsing: Self.request).objectValue)
    envelope[member] = value
    #expect(throws: JSONError.self) { try BridgeMessage(parsing: JSONValue.object(envelope).jsonText.utf8) }
  }

  @Test func `an envelope whose data has a number out of range is refused`() {
    let text =
      #"{"version":"1","correlationId":"c","type":"event","timestamp":1,"payload":{"action":"a","data":{"n":1e999}}}"#
    #expect(throws: JSONError.self) { try BridgeMessage(parsing: text.utf8) }
  }

  @Test func `a response is written without the members that are nil`() throws {
    let message = BridgeMessage(
      version: "1.0",
      correlationId: "c\"1",
      type: .response,
      timestamp: 5,
      payload: BridgePayload(
        action: "a",
        data: nil,
        status: .error,
        error: BridgeErrorPayload(code: "BUSY", message: "Later.", recoverable: true)
      )
    )
    var writer = JSONWriter()
    message.write(to: &writer)
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"version":"1.0","correlationId":"c\"1","type":"response","timestamp":5,"payload":{"action":"a","status":"error","#
        + #""error":{"code":"BUSY","message":"Later.","recoverable":true}}}"#
    )
  }

  @Test func `a written message is read back the same, without its sequence number`() throws {
    let message = try BridgeMessage(parsing: Self.request.utf8)
    var writer = JSONWriter()
    message.write(to: &writer, sequence: 7)
    let again = try BridgeMessage(parsing: writer.bytes)
    #expect(again.id == message.id)
    #expect(again.payload.data == message.payload.data)
    #expect(try JSONValue(parsing: writer.bytes)["sequence"] == 7)
  }

  @Test func `JSONEncoder and JSONDecoder use the envelope's members`() throws {
    let message = try JSONDecoder().decode(BridgeMessage.self, from: Data(Self.request.utf8))
    let encoded = try JSONEncoder().encode(message)
    #expect(try JSONValue(parsing: encoded)["payload"]?["data"] == ["limit": 25, "note": "é\n"])
  }

  @Test func `the data of a message may be nested 2,000 levels deep, not 3,000`() throws {
    func message(_ depth: Int) throws -> BridgeMessage {
      let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let payload = #"{"action":"a","data":{"value":\#(value)}}"#
      let text = #"{"version":"1.0","correlationId":"1","type":"request","timestamp":1,"payload":\#(payload)}"#
      return try BridgeMessage(parsing: text.utf8)
    }
    #expect(try message(2000).payload.data?["value"]?.arrayValue?.count == 1)
    #expect(throws: JSONError.self) { try message(3000) }
  }
}
