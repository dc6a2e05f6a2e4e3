import BridgeCore
import Testing

@testable import DeclaredServer
@testable import Sessions

@Suite struct JSONTemplateTests {
  private func pointer(_ text: String) throws -> JSONPointer { try #require(JSONPointer(text)) }

  @Test(arguments: [
    ("", #"{"a":[1,{"b/c":2}],"":3,"m~n":4}"#), ("/a/0", "1"), ("/a/1/b~1c", "2"), ("/", "3"), ("/m~0n", "4"),
  ])
  func `a JSON pointer finds members and elements`(text: String, expected: String) throws {
    let value = try JSONValue(parsing: Array(#"{"a":[1,{"b/c":2}],"":3,"m~n":4}"#.utf8))
    #expect(try pointer(text).value(in: value) == JSONValue(parsing: Array(expected.utf8)))
  }

  @Test(arguments: ["/b", "/a/2", "/a/-", "/a/00", "/a/0/x", "/a/x"])
  func `a JSON pointer to a missing value finds nothing`(text: String) throws {
    #expect(try pointer(text).value(in: ["a": [1, 2]]) == nil)
  }

  @Test(arguments: ["a", "#/a", "/~2", "/~"]) func `an invalid JSON pointer is refused`(text: String) {
    #expect(JSONPointer(text) == nil)
  }

  @Test func `a template is filled from the message, without the members that it lacks`() throws {
    let template = JSONTemplate.of([
      "id": .from(try pointer("/id")), "none": .from(try pointer("/none")), "ok": .constant(true),
      "list": .of([.from(try pointer("/none")), .constant(1)]),
      "text": .text(.of(["id": .from(try pointer("/id"))])),
    ])
    #expect(
      template.filled(from: ["id": 7]) == ["id": 7, "ok": true, "list": [nil, 1], "text": #"{"id":7}"#])
  }

  @Test func `a template without placeholders is a constant`() {
    #expect(JSONTemplate.of(["a": .of([.constant(1)])]) == .constant(["a": [1]]))
  }
}

@Suite struct PagePatternTests {
  @Test(arguments: [
    ("/*", "/", true), ("/app/*", "/app/", true), ("/app/*", "/app/a/b", true), ("/app/*", "/apple", false),
    ("/app", "/app", true), ("/app", "/app/", false), ("*.html", "/a/b.html", true), ("/a/*/c", "/a/b/c", true),
    ("/a/*/*/c", "/a/b/c", false), ("/a.b", "/axb", false),
  ])
  func `a star in a page pattern matches anything`(pattern: String, path: String, matches: Bool) throws {
    let pattern = try #require(PagePattern(pattern))
    #expect(pattern.matches(path) == matches)
    let match = try Regex(pattern.regularExpression).wholeMatch(in: path)
    #expect((match != nil) == matches)
  }

  @Test func `a page pattern begins with a slash or a star`() {
    for pattern in ["app", "", "/app?tab=1", "/app#tab", "/app/../x", "/./x", "/a\nb"] {
      #expect(PagePattern(pattern) == nil)
    }
  }

  @Test func `a page pattern matches paths as browsers escape them`() throws {
    #expect(try #require(PagePattern("/käse {1}/*")).matches("/k%C3%A4se%20%7B1%7D/x"))
  }

  @Test(arguments: [
    ("/a/*", "/b/*", false), ("/a/*", "/a/b/*", true), ("/a", "/a/*", false), ("/a/b", "/a/*", true),
    ("/a", "/b", false), ("*", "/x", true),
  ])
  func `mayMeet is false for page patterns of different folders`(first: String, second: String, mayMeet: Bool) throws {
    let (first, second) = (try #require(PagePattern(first)), try #require(PagePattern(second)))
    #expect(first.mayMeet(second) == mayMeet)
    #expect(second.mayMeet(first) == mayMeet)
  }
}
