import BridgeCore
import Testing

@testable import DeclaredServer
@testable import Sessions

@Suite struct HandlerMessageTests {
  private let place = HandlerMessage.Place(session: "s", page: "page-1")

  private func message(_ text: String) throws(HandlerMessage.Problem) -> HandlerMessage {
    try HandlerMessage(.whole(Array(text.utf8)))
  }

  @Test func `a handler line answers a message with a reply, nothing or an error`() throws {
    #expect(try message(#"{"message":7,"reply":null}"#) == .reply(message: 7, .null))
    #expect(try message(#"{"message":7}"#) == .reply(message: 7, nil))
    #expect(try message(#"{"message":7,"error":"no"}"#) == .fail(message: 7, DeclaredError("no")))
    #expect(try message(#"{"message":7,"error":{"code":1}}"#) == .fail(message: 7, DeclaredError(["code": 1])))
  }

  @Test func `a handler line has the page call, dispatch or evaluate, and an id asks for the result`() throws {
    let call = try #require(DeclaredEvent.call(["a.b"], [1]))
    #expect(try message(#"{"session":"s","page":"page-1","call":"a.b","args":[1]}"#) == .act(place, call, id: nil))
    #expect(
      try message(#"{"session":"s","page":"page-1","evaluate":"1 + 1","id":"x"}"#)
        == .act(place, .evaluate("1 + 1"), id: "x"))
    #expect(
      try message(#"{"page":"page-1","event":"x:y","detail":2}"#)
        == .act(HandlerMessage.Place(session: nil, page: "page-1"), .event("x:y", 2), id: nil))
  }

  @Test(arguments: [
    ("[1]", "a line that is not a JSON object"), ("{}", "neither message, nor sheet, nor store, nor page"),
    (#"{"message":"7"}"#, "whose message is not a number"),
    (#"{"page":"p","call":true}"#, "not the path of a function"),
    (#"{"page":"p","call":"a","args":{}}"#, "args are not an array"),
    (#"{"page":"p","event":7}"#, "name is not a text"),
    (#"{"page":"p","evaluate":7}"#, "not a text"), (#"{"page":"p","call":"a","id":[]}"#, "id is neither"),
    (#"{"sheet":[],"title":"x"}"#, "number is neither"), ("{", "a line that is not JSON: "),
  ])
  func `the error about an invalid handler line says what is wrong`(line: String, problem: String) {
    let error = #expect(throws: HandlerMessage.Problem.self) { try message(line) }
    #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
  }
}

extension HandlerMessageTests {
  private func message(of line: HandlerLines.Line) -> Int? {
    let error = #expect(throws: HandlerMessage.Problem.self) { try HandlerMessage(line) }
    return error?.message
  }

  @Test(arguments: [
    (#"{"message":7,"reply":NaN}"#, 7), (#" { "message" : 12, "reply": "#, 12), (#"{"reply":NaN,"message":7}"#, 7),
    (#"{"reply":NaN, "message" : 7 } "#, 7), (#"{"reply":{"a":NaN,"message":7}}"#, nil),
    (#"{"reply":"message":7}"#, nil),
    (#"{"message":-7,"reply":NaN}"#, nil), (#"{"message":9999999999999999999999,"x"#, nil), ("nonsense", nil),
  ])
  func `a line that is not JSON names its message if that is its first or its last member`(line: String, number: Int?) {
    #expect(message(of: .whole(Array(line.utf8))) == number)
  }

  @Test func `a line that is too long names its message if that is its first or its last member`() {
    func line(_ beginning: String, _ end: String) -> HandlerLines.Line {
      .tooLong(beginning: Array(beginning.utf8), end: Array(end.utf8), limit: 1000)
    }
    #expect(message(of: line(#"{"message":7,"reply":"xxx"#, #"xxx"}"#)) == 7)
    #expect(message(of: line(#"{"reply":"xxx"#, #"xxx","message":7}"#)) == 7)
    #expect(message(of: line(#"{"reply":["xxx"#, #"xxx",{"a":1,"message":7}]}"#)) == nil)
  }
}

@Suite struct DeclaredSheetTests {
  private func sheet(_ text: String) throws -> DeclaredSheet {
    try DeclaredSheet(try JSONValue(parsing: Array(text.utf8)).objectValue ?? [:])
  }

  private let full = #"""
    {"title":"Confirm","fields":["note",{"name":"pin","type":"password"},{"name":"keep","type":"checkbox","value":true},
    {"name":"card","type":"choice","options":["visa",{"value":"mc","label":"Mastercard"}]}],
    "buttons":[{"name":"pay","label":"Pay"},{"name":"later","label":"Not now","cancel":true}]}
    """#

  @Test func `fields that a sheet's answer leaves out have the values shown`() throws {
    let sheet = try sheet(full)
    #expect(
      sheet.members(for: .approve(["pin": "1234"])) == [
        "approved": true, "button": "pay", "fields": ["note": "", "pin": "1234", "keep": true, "card": "visa"],
      ])
    #expect(sheet.members(for: .cancel) == ["approved": false])
    #expect(sheet.secretFields == ["pin"])
  }

  @Test func `a sheet's answer is refused if it chooses what the sheet does not offer`() throws {
    let content = try sheet(full).content
    #expect(DeclaredSheet.problem(of: ["pin": "1", "card": "mc", "button": "pay"], in: content) == nil)
    for (fields, expected) in [
      (["card": "amex"], "one of: visa, mc"), (["keep": "yes"], "true or false"), (["pin": 1], "a text"),
      (["button": "x"], "one of the buttons: pay, later"),
      (["who": "x"], "left out: the sheet has the fields note, pin, keep, card"),
    ] as [([String: JSONValue], String)] {
      #expect(DeclaredSheet.problem(of: fields, in: content)?.expected == expected)
    }
  }

  @Test(arguments: [
    #"{"title":7}"#, #"{"fields":{}}"#, #"{"fields":[{}]}"#, #"{"fields":["a","a"]}"#, #"{"fields":["button"]}"#,
    #"{"fields":[{"name":"a","type":"file"}]}"#, #"{"fields":[{"name":"a","type":"choice"}]}"#,
    #"{"fields":[{"name":"a","type":"choice","options":["b"],"value":"c"}]}"#,
    #"{"fields":[{"name":"a","value":1}]}"#, #"{"buttons":[{}]}"#,
  ])
  func `an invalid sheet of a handler is an error`(text: String) {
    #expect(throws: HandlerMessage.Problem.self) { try sheet(text) }
  }
}
