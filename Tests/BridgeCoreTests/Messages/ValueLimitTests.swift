import Testing

@testable import BridgeCore

/// An envelope may hold so many members and elements in all, and is read no further than that.
@Suite struct ValueLimitTests {
  /// How many members the envelope and its payload have.
  private static let headCount = 7

  private func read(_ text: String, limit: Int) throws(JSONError) -> BridgeMessage {
    let result = Array(text.utf8).withUnsafeBufferPointer { bytes in
      Result { () throws(JSONError) in try BridgeMessage(parsing: bytes, valueLimit: limit) }
    }
    return try result.get()
  }

  private func envelope(_ data: String) -> String {
    #"{"version":"1.0","correlationId":"c","type":"request","timestamp":1,"payload":{"action":"a","data":\#(data)}}"#
  }

  /// Data, and how many members and elements they hold.
  private static let data = [
    ("{}", 0), (#"{"a":1}"#, 1), (#"{"a":[]}"#, 1), (#"{"a":[1]}"#, 2), (#"{"a":[1,2],"b":{}}"#, 4),
    (#"{"a":[[],[[1]],{"b":null}]}"#, 7), (#"{"a":"b\n","c":-1.5e3}"#, 2),
  ]

  @Test(arguments: data, ["", " "])
  func `the limit of values counts each member and each element, on both paths`(
    data: (text: String, count: Int), space: String
  )
    throws
  {
    let text = space + envelope(data.text)
    let enough = try read(text, limit: Self.headCount + data.count)
    #expect(!enough.hasTooManyValues && enough.payload.data != nil)
    let tooFew = try read(text, limit: Self.headCount + data.count - 1)
    #expect(tooFew.hasTooManyValues || data.count == 0)
  }

  @Test(arguments: ["", " "])
  func `a member name counts as one value for every 256 bytes`(space: String) throws {
    func message(nameOf count: Int) throws -> BridgeMessage {
      try read(space + envelope(#"{"\#(String(repeating: "n", count: count))":1}"#), limit: 100)
    }
    #expect(try !message(nameOf: 80 * 256).hasTooManyValues)
    #expect(try message(nameOf: 100 * 256).hasTooManyValues)
  }

  @Test(arguments: ["", " "])
  func `the head of an envelope with too many values is read`(space: String) throws {
    let message = try read(space + envelope(#"{"a":[\#(String(repeating: "[],", count: 100_000))1]}"#), limit: 100)
    #expect(message.hasTooManyValues)
    #expect(message.correlationId == "c" && message.action == "a" && message.type == .request)
    #expect(message.payload.data == nil)
    // What was not read is not kept.
    #expect(message.byteCount < 1000)
  }

  @Test func `nothing is parsed after the limit of values is reached`() throws {
    #expect(try read(envelope(#"{"a":[1,2,3,4,5,6,7,8,nonsense"#), limit: 12).hasTooManyValues)
  }

  @Test(
    arguments: [
      #"{"payload":{"data":{"a":[1,2,3,4]},"action":"a"},"version":"1.0","correlationId":"c","type":"event","timestamp":1}"#,
      #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"version":"1.0"}"#, #"{"a":[1,2,3,4,5,6]}"#,
    ])
  func `an envelope whose head comes after too many values is refused`(text: String) {
    #expect(throws: JSONError.self) { try read(text, limit: 5) }
  }

  @Test func `a number of a thousand digits is read, and one of a million is refused`() throws {
    func data(_ count: Int) -> String { #"{"a":0.\#(String(repeating: "3", count: count))}"# }
    #expect(try read(envelope(data(1000)), limit: 100).payload.data?["a"]?.numberValue == 1.0 / 3)
    #expect(throws: JSONError.self) { try read(envelope(data(1_000_000)), limit: 100) }
  }

  @Test func `a message parsed without a limit may have any number of values`() throws {
    let text = envelope(#"{"a":[\#(String(repeating: "[],", count: 100_000))1]}"#)
    #expect(try BridgeMessage(parsing: text.utf8).payload.data?["a"]?.arrayValue?.count == 100_001)
  }
}
