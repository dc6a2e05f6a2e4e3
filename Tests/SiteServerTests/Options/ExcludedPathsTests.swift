import HTTPTypes
import Testing

@testable import Footbridge
@testable import SiteServer

@Suite struct ExcludedPathsTests {
  @Test(arguments: [
    ("/a", "/a", true), ("/a", "/a/b", true), ("/a", "/ab", false), ("/a/", "/a", true), ("/", "/b", true),
    ("/*.html", "/a/b.html", true), ("/*.html", "/b.htm", false), ("/a*c", "/abc/d", true), ("/a*c", "/abcd", false),
    ("/a/*/c/*", "/a/b/c/d", true), ("/a/*/c", "/b/a/x/c", false), ("/*", "/anything", true), ("/a*a", "/a", false),
  ])
  func `an excluded path excludes everything below it`(pattern: String, path: String, isExcluded: Bool) throws {
    #expect(try ExcludedPaths([pattern]).contains(path) == isExcluded)
  }

  @Test(arguments: ["a", "", "*", "/a?b", "/a#b"])
  func `an excluded path that is not a path is an error`(pattern: String) {
    #expect(throws: SiteError.excludedPathInvalid(pattern)) { try ExcludedPaths([pattern]) }
  }
}

@Suite struct FieldChangesTests {
  @Test func `a field change replaces the fields of its name, and removes them without a value`() throws {
    let changes = try FieldChanges(["X-A: 1, 2", "x-b:", "Set-Cookie: a=1"], option: "--response-header")
    var fields: HTTPFields = [.accept: "a"]
    for (name, value) in [("X-A", "3"), ("X-A", "4"), ("X-B", "5")] {
      fields.append(HTTPField(name: .named(name), value: value))
    }
    changes.apply(to: &fields)
    #expect(fields.map { "\($0.name): \($0.value)" } == ["Accept: a", "X-A: 1, 2", "Set-Cookie: a=1"])
  }

  @Test(arguments: ["no colon", "a b: c", "Transfer-Encoding: chunked", "Content-Encoding: br", "X: \u{1}", ": a"])
  func `a field change that is not a field or frames the message is an error`(line: String) {
    #expect(throws: SiteError.self) { try FieldChanges([line], option: "--request-header") }
  }
}
