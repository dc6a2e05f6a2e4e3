import BridgeCore
import Foundation
import Testing

@Suite struct JSONValueTests {
  @Test(arguments: [
    ("null", JSONValue.null), ("true", true), (" false ", false), ("\"\"", ""), ("[]", .array([])),
    ("{}", .object([:])), ("0", 0), ("-0.5", -0.5),
    ("1920", 1920), ("1e3", 1000), ("123456789012345680000", .number(1.234_567_890_123_456_8e20)),
    ("9007199254740993", .number(9_007_199_254_740_992)), ("0.1", 0.1), ("5e-324", .number(.leastNonzeroMagnitude)),
    ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
    (#"{"a":[1,{"b":null}],"c":"d"}"#, .object(["a": [1, ["b": nil]], "c": "d"])),
    (#"{"a":1,"a":2}"#, .object(["a": 2])),
    (#""\"\\\/\b\f\n\r\t\u0041\u00e9""#, .string("\"\\/\u{8}\u{c}\n\r\tA\u{e9}")), (#""\ud83d\ude00""#, "\u{1F600}"),
    ("\"\u{1F600}\u{20AC}\u{E9}\"", "\u{1F600}\u{20AC}\u{E9}"), (#""\ud800""#, "\u{FFFD}"),
    (#""\udc00x""#, "\u{FFFD}x"),
    (#""\ud800\u0041""#, "\u{FFFD}A"),
  ])
  func `JSONValue reads every kind of value`(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test(arguments: [
    "", " ", "nul", "nulll", "truefalse", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
    "{'a':1}", "[1",
    "{\"a\":1", "\"abc", "\"\u{1}\"", #""\x""#, #""\u12""#, #""\u12g4""#, "01", "-", "+1", ".5", "1.", "1e", "1e+",
    "0x10", "NaN",
    "Infinity", "1e400", "-1e400", "{} {}", "[1]]", "\u{FEFF}{}", "// c\n1",
  ])
  func `JSONValue refuses texts that RFC 8259 does not allow`(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE2, 0x82], [0xC3],
    ] as [[UInt8]])
  func `JSONValue refuses invalid UTF-8 in strings`(sequence: [UInt8]) {
    let text = [UInt8(ascii: "\"")] + sequence + [UInt8(ascii: "\"")]
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test func `JSONValue reads 512 levels of nesting and refuses 513`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try JSONValue(parsing: nested(512)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(513)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "[", count: 1_000_000)) }
  }

  @Test(arguments: [
    (JSONValue.number(1920), "1920"), (.number(-3), "-3"), (.number(0.99), "0.99"), (.number(1e300), "1e+300"),
    (.number(-0.0), "0"),
    (.number(.nan), "null"), (.number(.infinity), "null"), (.string("a\"\\\n\u{1}é"), #""a\"\\\n\u0001é""#),
    (.object(["b": 1, "a": [true, nil]]), #"{"a":[true,null],"b":1}"#),
  ])
  func `jsonText writes integral numbers without fraction, escapes strings, and sorts members`(
    value: JSONValue, text: String
  ) {
    #expect(value.jsonText == text)
  }

  @Test func `a number is read back as it was written`() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite else { continue }
      #expect(try JSONValue(parsing: JSONValue.number(number).jsonText) == .number(number))
    }
  }

  @Test func `anyValue is the Foundation value of each kind`() {
    #expect(JSONValue.string("a").anyValue as? String == "a")
    #expect(JSONValue.number(1.5).anyValue as? Double == 1.5)
    #expect(JSONValue.bool(true).anyValue as? Bool == true)
    #expect(JSONValue.null.anyValue is NSNull)
    #expect((JSONValue.array([1]).anyValue as? [Any])?.count == 1)
    #expect((JSONValue.object(["a": 1]).anyValue as? [String: Any])?["a"] as? Double == 1)
  }

  @Test func `JSONEncoder and JSONDecoder encode and decode a JSONValue`() throws {
    let value: JSONValue = ["a": [1, 2.5, "x", true, nil]]
    let encoded = try JSONEncoder().encode(value)
    #expect(String(decoding: encoded, as: UTF8.self) == #"{"a":[1,2.5,"x",true,null]}"#)
    #expect(try JSONDecoder().decode(JSONValue.self, from: encoded) == value)
  }
}
