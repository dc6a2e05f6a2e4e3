import Foundation
import Testing

@testable import BridgeCore

/// A message keeps the text of its strings as it came: what they are, and how they are written again.
@Suite struct MessageTextTests {
  private func request(id: String = "c", action: String = "a", version: String = "1.0") throws -> BridgeMessage {
    try BridgeMessage(
      parsing:
        #"{"version":"\#(version)","correlationId":"\#(id)","type":"request","timestamp":1,"payload":{"action":"\#(action)"}}"#
        .utf8)
  }

  private func answer(to request: BridgeMessage, _ answer: BridgeAnswer = BridgeAnswer(status: .success)) -> String {
    var writer = JSONWriter()
    request.write(answer: answer, timestamp: 2, to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func text(of message: BridgeMessage) -> String {
    var writer = JSONWriter()
    message.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test(
    arguments: [
      ("", "", ""), ("plain", "plain", "plain"), ("é€😀", "é€😀", "é€😀"), ("\u{7F}", "\u{7F}", "\u{7F}"),
      (#"\u0041"#, "A", "A"), (#"\/"#, "/", "/"), (#"\"\\\b\f\n\r\t"#, "\"\\\u{8}\u{C}\n\r\t", #"\"\\\b\f\n\r\t"#),
      (#"\u0000\u001f"#, "\u{0}\u{1F}", #"\u0000\u001f"#), (#"\u0022"#, "\"", #"\""#),
      (#"\u2028"#, "\u{2028}", "\u{2028}"),
      (#"\ud83d\ude00"#, "😀", "😀"), (#"\ud800"#, "\u{FFFD}", "\u{FFFD}"), (#"\udc00x"#, "\u{FFFD}x", "\u{FFFD}x"),
      (#"a\ud800\u0041"#, "a\u{FFFD}A", "a\u{FFFD}A"),
      (#"\ud800\ud800\udc00"#, "\u{FFFD}\u{10000}", "\u{FFFD}\u{10000}"),
      (#"\uDBFF\uDFFF"#, "\u{10FFFF}", "\u{10FFFF}"),
    ])
  func `an id and an action are written with only the escapes that JSON requires`(
    raw: String, string: String, written: String
  ) throws {
    let request = try request(id: raw, action: raw)
    #expect(request.correlationId == string && request.payload.action == string)
    #expect(request.withCorrelationId { Array($0) } == Array(string.utf8))
    #expect(request.withAction { Array($0) } == Array(string.utf8))
    #expect(
      answer(to: request)
        == #"{"version":"1.0","correlationId":"\#(written)","type":"response","timestamp":2,"payload":{"action":"\#(written)","status":"success"}}"#
    )
    let same =
      #"{"version":"1.0","correlationId":"\#(written)","type":"request","timestamp":1,"payload":{"action":"\#(written)"}}"#
    #expect(text(of: request) == same)
    // One that is made here of the same strings is written the same.
    let made = BridgeMessage(
      version: "1.0", correlationId: string, type: .request, timestamp: 1,
      payload: BridgePayload(action: string, data: nil, status: nil, error: nil))
    #expect(text(of: made) == same)
    #expect(made.correlationId == string && made.payload.action == string)
  }

  @Test(arguments: ["1.0", #"1\u002e0"#, "", "2.0", "1.00", #"\ud800"#, "\u{1F600}"])
  func `a message retains its version, and an answer has version 1.0`(raw: String) throws {
    let version = try #require(try JSONValue(parsing: "\"\(raw)\"").stringValue)
    let request = try request(version: raw)
    #expect(request.version == version)
    #expect(try JSONValue(parsing: text(of: request))["version"]?.stringValue == version)
    #expect(try JSONValue(parsing: answer(to: request))["version"] == "1.0")
  }

  @Test func `an id of 10,000 escapes is written whole`() throws {
    let raw = String(repeating: #"\u0001"#, count: 10_000)
    let request = try request(id: raw, action: raw)
    #expect(
      try JSONValue(parsing: answer(to: request))["correlationId"]?.stringValue
        == String(repeating: "\u{1}", count: 10_000))
    let made = BridgeMessage(
      version: String(repeating: "\u{1}", count: 1000), correlationId: String(repeating: "\u{2}", count: 1000),
      type: .event, timestamp: -.greatestFiniteMagnitude,
      payload: BridgePayload(action: String(repeating: "\"", count: 1000), data: [:], status: nil, error: nil))
    let again = try BridgeMessage(parsing: text(of: made).utf8)
    #expect(again.version == made.version && again.correlationId == made.correlationId)
    #expect(again.payload.action == made.payload.action && again.timestamp == made.timestamp)
  }

  @Test(arguments: [BridgeMessageType.request, .response, .event])
  func `a message with any status, data and error is read back as it was made`(type: BridgeMessageType) throws {
    let statuses: [BridgeResponseStatus?] = [nil, .success, .error, .cancelled, .unsupported, .acknowledged]
    let datas: [[String: JSONValue]?] = [nil, [:], ["a": [1, nil, "\u{1}"]]]
    let errors = [nil, BridgeErrorPayload(code: "", message: "\"", recoverable: false)]
    for status in statuses {
      for data in datas {
        for error in errors {
          let made = BridgeMessage(
            version: "1.0", correlationId: "i", type: type, timestamp: 3,
            payload: BridgePayload(action: "x", data: data, status: status, error: error))
          for message in [made, try BridgeMessage(parsing: text(of: made).utf8)] {
            #expect(message.type == type && message.payload.data == data)
            #expect(message.payload.status == status && message.payload.error == error)
          }
        }
      }
    }
  }

  @Test func `writing an answer gives the same text as writing its message`() throws {
    let answers = [
      BridgeAnswer(status: .acknowledged), BridgeAnswer(status: .success, data: [:]),
      BridgeAnswer(status: .success, data: ["b": 1, "a": ["x"]]),
      BridgeAnswer(status: .success, text: Array(#"{"z":1}"#.utf8)),
      BridgeAnswer(status: .error, error: BridgeErrorPayload(code: "A", message: "b\n", recoverable: true)),
      BridgeAnswer(
        status: .cancelled, data: ["a": 1], error: BridgeErrorPayload(code: "", message: "", recoverable: false)),
    ]
    let request = try request(id: #"a\"b"#, action: "é")
    for answer in answers {
      #expect(self.answer(to: request, answer) == text(of: BridgeMessage(answer, to: request, timestamp: 2)))
    }
  }

  @Test func `received data is written again byte for byte`() throws {
    let data = #"{ "b":1e2,"a":"\ud800\u0041","a":[ ] }"#
    let request = try BridgeMessage(
      parsing:
        #"{"version":"1.0","correlationId":"c","type":"event","timestamp":1,"payload":{"data":\#(data),"action":"a"}}"#
        .utf8)
    #expect(text(of: request).contains(#""data":\#(data)}"#))
    // Also in a message that is made of the payload.
    let other = BridgeMessage(version: "1.0", correlationId: "d", type: .event, timestamp: 1, payload: request.payload)
    #expect(text(of: other).contains(#""data":\#(data)}"#))
    #expect(other.payload.data == ["b": 100, "a": []])
  }

  @Test func `a message does not depend on the buffer that it was parsed from`() throws {
    var text = Array(
      #"{"version":"9","correlationId":"id","type":"event","timestamp":1,"payload":{"action":"act","data":{"a":"b"}}}"#
        .utf8)
    let message = try text.withUnsafeBufferPointer { try BridgeMessage(parsing: $0) }
    for index in text.indices { text[index] = 0 }
    #expect(message.version == "9" && message.correlationId == "id" && message.payload.action == "act")
    #expect(message.payload.data == ["a": "b"])
  }

  @Test func `a message is parsed from any sequence of bytes`() throws {
    let text = #"{"version":"1.0","correlationId":"c","type":"request","timestamp":1,"payload":{"action":"a"}}"#
    #expect(try BridgeMessage(parsing: text.utf8.lazy.map { $0 }).correlationId == "c")
    #expect(try BridgeMessage(parsing: AnySequence(text.utf8)).correlationId == "c")
    #expect(throws: JSONError.self) { try BridgeMessage(parsing: EmptyCollection<UInt8>()) }
    #expect(throws: JSONError.self) { try BridgeMessage(parsing: UnsafeBufferPointer(start: nil, count: 0)) }
  }
}
