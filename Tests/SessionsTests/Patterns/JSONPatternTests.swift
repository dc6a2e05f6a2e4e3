import BridgeCore
import Testing

@testable import Sessions

@Suite struct JSONPatternTests {
  @Test(
    arguments: [
      ("1", "1"), ("null", "null"), (#""a""#, #""a""#), ("{}", #"{"a":1}"#), (#"{"a":1}"#, #"{"a":1,"b":2}"#),
      (#"{"a":{"b":[1,{"c":2}]}}"#, #"{"a":{"b":[1,{"c":2,"d":3}]},"e":4}"#), ("[]", "[]"),
      (#"{"a":null}"#, #"{"a":null}"#), (#"{"a":{"$contains":"oi"}}"#, #"{"a":"coins"}"#),
      (#"{"a":{"$contains":{"b":1}}}"#, #"{"a":[2,{"b":1,"c":2}]}"#),
      (#"{"a":{"$matches":"^c.+s$"}}"#, #"{"a":"coins"}"#),
      (#"{"a":{"$matches":"\\d{2}\\.[\\d]"}}"#, #"{"a":"12.5 €"}"#), (#"{"a":{"$absent":true}}"#, #"{"b":1}"#),
      (#"{"a":{"$matches":"^[x\\]\\-\\^\\\\z]{5}$"}}"#, #"{"a":"]-^\\z"}"#),
      (#"{"a":{"$absent":false}}"#, #"{"a":null}"#), (#"{"a":{"$any":true}}"#, #"{"a":[]}"#),
      (#"{"a":{"$any":false}}"#, "{}"),
      (#"{"a":{"$equals":{"$any":true}}}"#, #"{"a":{"$any":true}}"#),
      (#"{"a":{"$b":1,"c":2}}"#, #"{"a":{"$b":1,"c":2}}"#),
    ] as [(String, String)])
  func `a pattern matches values that have at least its members`(pattern: String, value: String) throws {
    let pattern = try JSONPattern(try JSONValue(parsing: pattern))
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
      (#"{"a":{"$contains":"x"}}"#, #"{"a":"coins"}"#, #"a is "coins"; it should contain "x""#),
      (#"{"a":{"$contains":"x"}}"#, "{}", #"a is missing; it should contain "x""#),
      (#"{"a":{"$contains":{"b":1}}}"#, #"{"a":[{"b":2}]}"#, #"a is [{"b":2}]; it should contain {"b":1}"#),
      (#"{"a":{"$matches":"^x"}}"#, #"{"a":"coins"}"#, #"a is "coins"; it should match "^x""#),
      (#"{"a":{"$matches":"^[a\\-z]$"}}"#, #"{"a":"b"}"#, #"a is "b"; it should match "^[a\\-z]$""#),
      (#"{"a":{"$matches":"1"}}"#, #"{"a":1}"#, #"a is 1; it should match "1""#),
      (#"{"a":{"$absent":true}}"#, #"{"a":null}"#, "a is null; it should be missing"),
      (#"{"a":{"$any":true}}"#, "{}", "a is missing; it should be there"),
    ] as [(String, String, String)])
  func `a difference from a pattern is described with its place`(pattern: String, value: String, words: String) throws {
    let pattern = try JSONPattern(try JSONValue(parsing: pattern))
    let value = try JSONValue(parsing: value)
    #expect(!pattern.matches(value))
    #expect(pattern.differences(from: value) == [words])
  }

  @Test(arguments: [
    #"{"a":{"$contain":"x"}}"#, #"{"a":[{"$matches":1}]}"#, #"{"$any":"yes"}"#, #"{"$absent":1}"#,
    #"{"$matches":"("}"#, #"{"$matches":"(a)\\1"}"#, #"{"$matches":"(a{100}){100}"}"#, #"{"$matches":"a{1,256}"}"#,
    #"{"$matches":"a{2}b{9223372036854775807}"}"#, #"{"$matches":"([a\\]{200}){200}"}"#,
    #"{"$matches":"a{99999999999999999999}"}"#,
  ])
  func `an invalid pattern is refused`(text: String) throws {
    let value = try JSONValue(parsing: text)
    #expect(throws: OptionError.self) { try JSONPattern(value) }
  }

  @Test func `a regular expression runs in linear time and refuses texts above its limit`() throws {
    let pattern = try JSONPattern(["$matches": "^(a+)+(a|aa)*(a|a?)+$"])
    #expect(!pattern.matches(.string(String(repeating: "a", count: RegularExpression.textLimit - 1) + "b")))
    #expect(!pattern.matches(.string(String(repeating: "a", count: RegularExpression.textLimit + 1))))
  }

  @Test func `all differences from a pattern are listed by name`() throws {
    let pattern = try JSONPattern(["b": 1, "a": 2, "c": 3])
    #expect(
      pattern.differences(from: ["a": 1, "b": 2, "c": 3]) == ["a is 1; it should be 2", "b is 2; it should be 1"])
  }

  @Test func `long values in differences are cut`() throws {
    let long = String(repeating: "x", count: 1000)
    let words = try JSONPattern(["a": 1]).differences(from: ["a": .string(long)])
    #expect(words.count == 1 && words[0].count < 150 && words[0].contains("…"))
  }
}
