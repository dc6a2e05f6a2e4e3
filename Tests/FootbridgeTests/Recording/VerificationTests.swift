import BridgeCore
import Sessions
import Testing

@testable import Footbridge

/// `footbridge verify`: what is a difference between a recording and what native says now.
@Suite struct VerificationTests {
  private func transcript(_ text: String) throws -> Transcript {
    try Transcript(Array(text.utf8), bridge: "acme")
  }

  private func verify(_ recorded: String, _ played: String, ignoring: [String] = []) throws -> Verification {
    Verification(
      try transcript(recorded), played: try transcript(played), ignoring: ignoring.compactMap { .init($0) }
    ) { $0.body["type"]?.stringValue ?? "message" }
  }

  /// A message, and what native answers.
  private func answered(_ reply: String, message: String = #"{"type":"get"}"#) -> String {
    "{\"message\":1,\"channel\":\"acme\",\"body\":\(message)}\n{\"message\":1,\"reply\":\(reply)}\n"
  }

  private func kinds(_ recorded: String, _ played: String, ignoring: [String] = []) throws -> [String] {
    try verify(answered(recorded), answered(played), ignoring: ignoring).differences.map {
      "\($0.kind.rawValue): \($0.place)"
    }
  }

  // MARK: Values

  @Test(arguments: [
    (#"{"a":1}"#, #"{"a":1}"#), (#"{"a":"2026-01-01T10:00:00Z"}"#, #"{"a":"2027-05-05T11:30:00.123Z"}"#),
    (#"{"day":"2026-01-01"}"#, #"{"day":"2027-05-05"}"#),
    (#"{"a":"0f8fad5b-d9cb-469f-a165-70867728950e"}"#, #"{"a":"7c9e6679-7425-40de-944b-e07fc1f90ae7"}"#),
    (#"{"a":"eyJhbGciOiJIUzI1NiJ9.e30.abc"}"#, #"{"a":"eyJhbGciOiJFUzI1NiJ9.e30x.abcdef"}"#),
    (#"{"a":"0123456789abcdef"}"#, #"{"a":"fedcba98765432100123"}"#),
    (#"{"a":"Zx81kLmn0PqRsTuV"}"#, #"{"a":"aB3dE6gH9jK2mN5pQ8"}"#),
    (#"{"orderId":"order-12"}"#, #"{"orderId":"order-7"}"#), (#"{"id":7}"#, #"{"id":8}"#),
    (#"{"createdAt":1760000000000}"#, #"{"createdAt":1770000000000}"#),
    (#"{"token":"‹secret›"}"#, #"{"token":"anything"}"#), (#"{"image":"‹image/png, 70 bytes›"}"#, #"{"image":"QUJD"}"#),
    (#"{"a":"{\"x\":1,\"y\":2}"}"#, #"{"a":"{ \"y\": 2, \"x\": 1 }"}"#),
  ])
  func `values of one form do not differ`(recorded: String, played: String) throws {
    #expect(try kinds(recorded, played) == [])
  }

  @Test(arguments: [
    (#"{"a":"eva"}"#, #"{"a":"adam"}"#, "other value: reply at /a"),
    (#"{"a":1}"#, #"{"a":2}"#, "other value: reply at /a"),
    (#"{"a":true}"#, #"{"a":false}"#, "other value: reply at /a"),
    (#"{"a":1}"#, #"{"a":"1"}"#, "other shape: reply at /a"), (#"{"a":1}"#, "{}", "other shape: reply at /a"),
    ("{}", #"{"a":1}"#, "other shape: reply at /a"), ("[1,2]", "[1]", "other shape: reply at /1"),
    ("null", "1", "other shape: reply"),
    (#"{"a":"2026-01-01"}"#, #"{"a":"soon"}"#, "other value: reply at /a"),
    (#"{"orderId":"order-12"}"#, #"{"orderId":"receipt-12"}"#, "other value: reply at /orderId"),
    (#"{"a":"{\"x\":1}"}"#, #"{"a":"{\"x\":2}"}"#, "other value: reply at /a/x"),
    (#"{"token":"‹secret›"}"#, #"{"token":null}"#, "other shape: reply at /token"),
    (#"{"createdAt":1760000000000}"#, #"{"createdAt":5}"#, "other value: reply at /createdAt"),
  ])
  func `other values and shapes are differences, with their place`(recorded: String, played: String, kind: String)
    throws
  {
    #expect(try kinds(recorded, played) == [kind])
  }

  @Test func `an id of the message must come back as it is`() throws {
    let message = #"{"type":"get","id":7}"#
    let one = answered(#"{"id":7}"#, message: message)
    #expect(try verify(one, one).differences == [])
    #expect(try verify(one, answered(#"{"id":9}"#, message: message)).differences.map(\.kind) == [.value])
  }

  @Test func `ignored places are not compared, in all answers or in those of a name`() throws {
    let (recorded, played) = (#"{"a":{"b":1},"c":1}"#, #"{"a":{"b":2},"c":1}"#)
    #expect(try kinds(recorded, played, ignoring: ["/a/b"]) == [])
    #expect(try kinds(recorded, played, ignoring: ["/a"]) == [])
    #expect(try kinds(recorded, played, ignoring: ["get/a"]) == [])
    #expect(try kinds(recorded, played, ignoring: ["other/a", "/b"]) == ["other value: reply at /a/b"])
    #expect(Verification.Ignored("a") == nil && Verification.Ignored("/~2") == nil)
  }

  // MARK: Steps

  private let message = "{\"message\":1,\"channel\":\"acme\",\"body\":{\"type\":\"get\"}}\n"

  @Test(arguments: [
    (#"{"message":1,"reply":1}"#, "", "missing: reply"), ("", #"{"message":1,"reply":1}"#, "extra: reply"),
    (#"{"message":1,"reply":1}"#, #"{"message":1,"error":"No"}"#, "other name: answer"),
    (#"{"message":1,"error":"No"}"#, #"{"message":1,"error":"Yes"}"#, "other value: error"),
    (#"{"call":"app.a","args":[]}"#, #"{"call":"app.b","args":[]}"#, "other name: call"),
    (#"{"call":"app.a","args":[1]}"#, #"{"call":"app.a","args":[2]}"#, "other value: call app.a at /0"),
    (#"{"event":"a"}"#, #"{"event":"b"}"#, "other name: event"), (#"{"event":"a"}"#, "", "missing: event a"),
    (#"{"message":1}"#, #"{"message":1,"reply":null}"#, "other shape: reply"),
  ])
  func `steps differ by name, or are missing or new`(recorded: String, played: String, kind: String) throws {
    let found = try verify(message + recorded, message + played).differences
    #expect(found.map { "\($0.kind.rawValue): \($0.place)" } == [kind])
  }

  @Test func `a difference names the line of what was recorded`() throws {
    let recorded = #"{"page":"https://a.example/"}"# + "\n" + answered("1")
    let found = try verify(recorded, #"{"page":"https://a.example/"}"# + "\n" + answered("2")).differences
    #expect(found.map(\.line) == [3])
    #expect(found.first?.recorded == "1" && found.first?.played == "2")
  }

  @Test func `what native does when a page opens is compared, too`() throws {
    let page = "{\"page\":\"https://a.example/\"}\n"
    let found = try verify(page + #"{"call":"ready","args":[]}"#, page).differences
    #expect(found.map(\.kind) == [.missing] && found.map(\.name) == ["opened"])
  }

  // MARK: Updates

  @Test func `an update writes what native says now, and leaves the rest as it is`() throws {
    let recorded = """
      {"page":"https://a.example/"}
      {"message":1,"channel":"acme","body":{"type":"get"}}
      {"message":1,  "reply":{"id":1,"a":1}}
      {"call":"app.a","args":[]}
      {"message":2,"channel":"acme","body":{"type":"more"}}
      {"message":3,"channel":"acme","body":{"type":"get"}}
      {"message":3,  "reply":{"id":1}}

      """
    let played = """
      {"page":"https://a.example/"}
      {"message":1,"channel":"acme","body":{"type":"get"}}
      {"message":1,"reply":{"id":2,"a":2,"token":"abc"}}
      {"call":"app.a","args":[]}
      {"message":2,"channel":"acme","body":{"type":"more"}}
      {"event":"x"}
      {"message":3,"channel":"acme","body":{"type":"get"}}
      {"message":3,"reply":{"id":5}}

      """
    let updated = try verify(recorded, played).updated(Array(recorded.utf8))
    #expect(
      String(decoding: updated, as: UTF8.self) == """
        {"page":"https://a.example/"}
        {"message":1,"channel":"acme","body":{"type":"get"}}
        {"message":1,"reply":{"a":2,"id":2,"token":"‹secret›"}}
        {"call":"app.a","args":[]}
        {"message":2,"channel":"acme","body":{"type":"more"}}
        {"event":"x"}
        {"message":3,"channel":"acme","body":{"type":"get"}}
        {"message":3,  "reply":{"id":1}}

        """)
    #expect(try verify(String(decoding: updated, as: UTF8.self), played).differences == [])
  }
}
