import BridgeCore
import Testing

@testable import Sessions

@Suite struct JSONPatternTests {
  @Test(
    arguments: [
      ("1", "1"), ("null", "null"), (#""a""#, #""a""#), ("{}", #"{"a":1}"#), (#"{"a":1}"#, #"{"a":1,"b":2}"#),
      (#"{"a":{"b":[1,{"c":2}]}}"#, #"{"a":{"b":[1,{"c":2,"d":3}]},"e":4}"#), ("[]", "[]"),
      (#"{"a":null}"#, #"{"a":null}"#),
    ] as [(String, String)])
  func `a pattern matches what has at least its members`(pattern: String, value: String) throws {
    let pattern = JSONPattern(try JSONValue(parsing: pattern))
    let value = try JSONValue(parsing: value)
    #expect(pattern.matches(value))
    #expect(pattern.differences(from: value).isEmpty)
  }

  @Test(
    arguments: [
      (#"{"a":1}"#, #"{"a":2}"#, "a is 2; it should be 1"),
      (#"{"a":1}"#, "{}", "a is missing; it should be 1"),
      (#"{"a":null}"#, "{}", "a is missing; it should be null"),
      (#"{"a":{"b":true}}"#, #"{"a":{"b":"true"}}"#, #"a.b is "true"; it should be true"#),
      (#"{"a":[1,2]}"#, #"{"a":[1,3]}"#, "a[1] is 3; it should be 2"),
      (#"{"a":[1]}"#, #"{"a":[1,2]}"#, "a is [1,2]; it should be [1]"),
      (#"{"a":{}}"#, #"{"a":[]}"#, "a is []; it should be {}"),
      ("{}", "1", "the value is 1; it should be {}"),
    ] as [(String, String, String)])
  func `a difference is said in words, with its place`(pattern: String, value: String, words: String) throws {
    let pattern = JSONPattern(try JSONValue(parsing: pattern))
    let value = try JSONValue(parsing: value)
    #expect(!pattern.matches(value))
    #expect(pattern.differences(from: value) == [words])
  }

  @Test func `all differences are said, by name`() {
    let pattern = JSONPattern(["b": 1, "a": 2, "c": 3])
    #expect(
      pattern.differences(from: ["a": 1, "b": 2, "c": 3]) == ["a is 1; it should be 2", "b is 2; it should be 1"])
  }

  @Test func `long values are cut`() {
    let long = String(repeating: "x", count: 1000)
    let words = JSONPattern(["a": 1]).differences(from: ["a": .string(long)])
    #expect(words.count == 1 && words[0].count < 150 && words[0].contains("…"))
  }
}
