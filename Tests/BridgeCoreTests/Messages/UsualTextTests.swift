import Testing

@testable import BridgeCore

/// An envelope is read in two ways: quickly in the form that nearly all have, and with care in every other. White space before an envelope
/// has it read with care: that is what each text is compared with.
@Suite struct UsualTextTests {
  /// What came of a text: the parts of the message, or the error.
  private enum Reading: Equatable {
    case message(Parts)
    case error(JSONError)
  }

  private struct Parts: Equatable {
    let strings: [String]
    let timestamp: Double
    let data: [String: JSONValue]?
    let text: [UInt8]
    let answer: [UInt8]

    init(_ message: BridgeMessage) {
      strings = [message.version, message.correlationId, message.action, message.type.rawValue]
      timestamp = message.timestamp
      data = message.payload.data
      var writer = JSONWriter()
      message.write(to: &writer)
      text = writer.bytes
      writer = JSONWriter()
      message.write(answer: BridgeAnswer(status: .success), timestamp: 1, to: &writer)
      answer = writer.bytes
    }
  }

  private func read(_ text: [UInt8]) -> Reading {
    do throws(JSONError) {
      return .message(Parts(try BridgeMessage(parsing: text)))
    } catch {
      return .error(error)
    }
  }

  private func readWithCare(_ text: [UInt8]) -> Reading {
    switch read([UInt8(ascii: " ")] + text) {
    case .message(let parts): .message(parts)
    case .error(let error): .error(JSONError(error.reason, offset: error.offset - 1))
    }
  }

  private func isUsual(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBufferPointer { BridgeMessage.usualRequest($0) != nil }
  }

  /// Those of the texts that are read in another way with care than without.
  private func differences(_ texts: some Sequence<[UInt8]>) -> [String] {
    texts.filter { read($0) != readWithCare($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func envelope(
    id: String = "c-1", timestamp: String = "1760000000000",
    payload: String = #"{"action":"a.b","data":{"x":[1,{"y":"z"}]}}"#
  ) -> String {
    #"{"version":"1.0","correlationId":"\#(id)","type":"request","timestamp":\#(timestamp),"payload":\#(payload)}"#
  }

  private static let usual = [
    envelope(), envelope(id: ""), envelope(id: String(repeating: "0123456789abcdef", count: 5)),
    envelope(payload: #"{"action":""}"#), envelope(payload: #"{"action":"a"}"#),
    envelope(payload: #"{"action":"a","data":{}}"#), envelope(payload: #"{"action":"a","data":{"é":"\ud800\n"}}"#),
    envelope(payload: #"{"action":"a","data":{"a":1,"a":2}}"#),
    envelope(payload: #"{"action":"a","data":{ "a" : 1 }}"#),
    envelope(payload: #"{"action":"a","data":{"n":null,"t":[true,false],"e":[{},[],""],"d":[0,10,-1,1.5]}}"#),
    envelope(timestamp: "0"), envelope(timestamp: "9"), envelope(timestamp: "10"),
    envelope(timestamp: "999999999999999"), envelope(timestamp: "1.76e12"), envelope(timestamp: "-0.5"),
  ]

  @Test(arguments: usual) func `the fast path reads an envelope of the usual form as the slow path does`(text: String) {
    #expect(isUsual(text))
    #expect(differences([Array(text.utf8)]).isEmpty)
  }

  @Test func `the fast path reads each member of an envelope`() throws {
    let message = try BridgeMessage(parsing: Self.envelope().utf8)
    #expect(message.version == "1.0" && message.correlationId == "c-1" && message.type == .request)
    #expect(message.timestamp == 1_760_000_000_000)
    #expect(message.payload.action == "a.b" && message.payload.data == ["x": [1, ["y": "z"]]])
    #expect(message.payload.status == nil && message.payload.error == nil)
  }

  @Test(arguments: [
    #"{"version":"1.0","correlationId":"c-1","timestamp":1760000000000,"type":"request","payload":{"action":"a.b","data":{"x":[1,{"y":"z"}]}}}"#,
    #"{"payload":{"data":{"x":[1,{"y":"z"}]},"action":"a.b"},"timestamp":1760000000000,"type":"request","correlationId":"c-1","version":"1.0"}"#,
    #"{"version":"1.0","correlationId":"c-1","type":"request","timestamp":1760000000000,"payload":{"action":"a.b","data":{"x":[1,{"y":"z"}]}} }"#,
    #"{ "version":"1.0","correlationId":"c-1","type":"request","timestamp":1760000000000,"payload":{"action":"a.b","data":{"x":[1,{"y":"z"}]}}}"#,
    #"{"version":"1.0","correlationId":"c-1","type":"request","timestamp": 1760000000000 ,"payload":{"action":"a.b","data":{"x":[1,{"y":"z"}]}}}"#,
    #"{"version":"1.0","correlationId":"c-\u0031","type":"request","timestamp":1760000000000,"payload":{"action":"a.b","data":{"x":[1,{"y":"z"}]}}}"#,
    #"{"version":"1.0","correlationId":"c-1","type":"request","timestamp":1760000000000,"payload":{"action":"a\u002eb","data":{"x":[1,{"y":"z"}]}}}"#,
    #"{"version":"0","version":"1.0","correlationId":"c-1","type":"request","timestamp":1760000000000,"payload":{"action":"a.b","data":{"x":[1,{"y":"z"}]}}}"#,
    #"{"version":"1.0","correlationId":"c-1","type":"request","timestamp":1760000000000,"payload":{"action":"z","action":"a.b","data":{"x":[1,{"y":"z"}]}}}"#,
    #"{"version":"1.0","correlationId":"c-1","type":"request","timestamp":1760000000000,"payload":{"action":"a.b","data":null,"data":{"x":[1,{"y":"z"}]}}}"#,
    #"{"version":"1.0","correlationId":"c-1","type":"request","timestamp":1760000000000,"payload":{"action":"a.b","data":{"x":[1,{"y":"z"}]},"more":0}}"#,
    #"{"version":"1.0","correlationId":"c-1","type":"request","timestamp":1760000000000,"payload":{"action":"a.b","data":{"x":[1,{"y":"z"}]}},"more":0}"#,
    #"{"version":"1.0","correlationId":"c-1","type":"request","timestamp":1760000000000,"payload":{"action":"a.b","data":{"x":[1,{"y":"z"}]},"more":{"a":1}}}"#,
  ])
  func `in every other form the same message has the same strings and data`(text: String) throws {
    #expect(!isUsual(text))
    let message = try BridgeMessage(parsing: text.utf8)
    let usual = try BridgeMessage(parsing: Self.envelope().utf8)
    #expect(Parts(message).strings == Parts(usual).strings)
    #expect(message.timestamp == usual.timestamp)
    #expect(message.payload.data == usual.payload.data)
    #expect(Parts(message).answer == Parts(usual).answer)
  }

  @Test(
    arguments: [
      ("01", "a number must not start with 0"), ("00", "a number must not start with 0"),
      ("000000000000001", "a number must not start with 0"), ("-", "expected a value"), ("", "expected a value"),
      ("1.", "expected a digit"), ("+1", "expected a value"), ("1x", "expected ',' or '}'"),
      (#""1""#, "timestamp must be a number"), ("null", "expected a value"), ("1e999", "number out of range"),
    ])
  func `the error about a timestamp says what is wrong with its number`(timestamp: String, reason: String) {
    let text = Array(Self.envelope(timestamp: timestamp).utf8)
    guard case .error(let error) = read(text) else { return #expect(Bool(false)) }
    #expect(error.reason == reason)
    #expect(differences([text]).isEmpty)
  }

  @Test(
    arguments: [
      ("1234567890123456", 1_234_567_890_123_456), ("9007199254740993", 9_007_199_254_740_992),
      ("18446744073709551616", 18_446_744_073_709_551_616), ("18446744073709551617", 18_446_744_073_709_551_616),
      ("-5", -5), ("-0", 0), ("1.5", 1.5), ("1760000000000.25", 1_760_000_000_000.25), ("1e3", 1000), ("0", 0),
      ("0.0", 0), ("999999999999999", 999_999_999_999_999),
    ])
  func `any number is a timestamp, read to the nearest there is`(timestamp: String, value: Double) throws {
    let text = Array(Self.envelope(timestamp: timestamp).utf8)
    #expect(try BridgeMessage(parsing: text).timestamp == value)
    #expect(differences([text]).isEmpty)
  }

  @Test(
    arguments: [
      (#"{"action":"a","data":[]}"#, "data must be an object"), (#"{"action":"a","data":1}"#, "data must be an object"),
      (#"{"action":"a","data":"x"}"#, "data must be an object"), (#"{"action":"a","data":}"#, "data must be an object"),
      (#"{"action":"a","data":{}"#, "expected ',' or '}'"), (#"{"action":"a","data":{"x"}}"#, "expected ':'"),
      (#"{"action":"a","data":{,}}"#, "expected a member's name"), (#"{"action":1}"#, "expected a string"),
      (#"{"data":{}}"#, "the payload has no action"), ("{}", "the payload has no action"),
      (#"{"action":"a"}}"#, "unexpected text after the value"), (#"{"action":"a"},"#, "expected a member's name"),
    ])
  func `the error about an invalid payload says what is wrong with it`(payload: String, reason: String) {
    let text = Array(Self.envelope(payload: payload).utf8)
    guard case .error(let error) = read(text) else { return #expect(Bool(false)) }
    #expect(error.reason == reason)
    #expect(differences([text]).isEmpty)
  }

  @Test(arguments: ["}", "{", ",", "0", "\u{0}", "x", #"{"version":"1.0"}"#])
  func `only white space may follow an envelope`(rest: String) {
    #expect(throws: JSONError.self) { try BridgeMessage(parsing: (Self.envelope() + rest).utf8) }
    #expect(throws: Never.self) { try BridgeMessage(parsing: (Self.envelope() + " \n").utf8) }
  }

  @Test func `empty data ends at its brace when other members follow`() throws {
    for more in [#"{"b":1}"#, "[{}]", "{}", "0"] {
      let text = Self.envelope(payload: #"{"action":"a","data":{},"more":\#(more)}"#)
      #expect(!isUsual(text))
      #expect(try BridgeMessage(parsing: text.utf8).payload.data == [:])
      #expect(differences([Array(text.utf8)]).isEmpty)
    }
  }

  @Test func `data that is null is read as nil`() throws {
    let text = Self.envelope(payload: #"{"action":"a","data":null}"#)
    #expect(try BridgeMessage(parsing: text.utf8).payload.data == nil)
  }

  @Test(arguments: usual) func `a text cut at any byte is refused by both paths for the same reason`(text: String) {
    let text = Array(text.utf8)
    let cuts = text.indices.map { Array(text[..<$0]) }
    #expect(cuts.allSatisfy { (try? BridgeMessage(parsing: $0)) == nil })
    #expect(differences(cuts.dropFirst()).isEmpty)
  }

  @Test func `both paths read a text with a changed byte in the same way`() async {
    for data in [#"{"x":1}"#, #"{"a":[10,{"b":null},[]],"c":"d","e":{}}"#, #"{"t":true,"f":false}"#] {
      let text = Array(Self.envelope(id: "c", timestamp: "17", payload: #"{"action":"a","data":\#(data)}"#).utf8)
      #expect(differences(text.withAnyByteChanged).isEmpty)
      // Other tests wait for this thread.
      await Task.yield()
    }
  }

  @Test func `both paths read a text with a missing or doubled byte in the same way`() {
    for text in Self.usual.map({ Array($0.utf8) }) {
      #expect(differences(text.indices.map { Array(text[..<$0] + text[($0 + 1)...]) }).isEmpty)
      #expect(differences(text.indices.map { Array(text[...$0] + text[$0...]) }).isEmpty)
    }
  }

  @Test(arguments: [0, 1, 62, 63, 64, 126, 127, 128, 2096, 2097, 2098, 2099, 2100, 2101, 5000])
  func `both paths have the same limit of nesting`(depth: Int) {
    let value = String(repeating: "[", count: depth) + "0" + String(repeating: "]", count: depth)
    let text = Array(Self.envelope(payload: #"{"action":"a","data":{"x":\#(value)}}"#).utf8)
    // The envelope, its payload and the data are levels, too.
    #expect(((try? BridgeMessage(parsing: text)) != nil) == (depth + 3 <= JSONScanner.messageDepthLimit))
    #expect(differences([text]).isEmpty)
  }
}
