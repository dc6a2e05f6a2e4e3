import Foundation
import HTTP1
import Testing

@testable import WebServer

@Suite struct StaticRootTests {
  @Test(
    arguments: [
      ("/", []), ("/a/b.txt", ["a", "b.txt"]), ("//a//b/", ["a", "b"]), ("/a%20b", ["a b"]), ("/%C3%A9", ["é"]),
      ("/.well-known/x", [".well-known", "x"]),
    ] as [(String, [String])])
  func `a path is decoded into components`(path: String, names: [String]) {
    #expect(StaticRoot.components(of: path) == names)
  }

  @Test(arguments: [
    "/..", "/a/../b", "/%2e%2e/a", "/%2E%2E", "/a%2Fb", "/a%00b", "/.git/config", "/%", "/%zz", "/%ff", "a", "",
  ])
  func `a path that could lead outside or to hidden files is refused`(path: String) {
    #expect(StaticRoot.components(of: path) == nil)
  }

  @Test func `a root that is missing or a file is refused`() {
    #expect(StaticRoot(path: "/does/not/exist") == nil)
    #expect(StaticRoot(path: #filePath) == nil)
    #expect(StaticRoot(path: "/tmp/")?.path.hasSuffix("/") == false)
  }

  @Test(arguments: [1, 100_000])
  func `a file is read from any offset up to its end`(count: Int) async throws {
    let folder = try TemporaryFolder(["digits.txt": String(repeating: "0123456789", count: count)])
    let file = try #require(try await folder.file("/digits.txt"))
    let end = 10 * count
    #expect(file.byteCount == end)
    #expect(try await file.read(at: 3, count: 4) == Array("3456".utf8))
    #expect(try await file.read(at: end - 2, count: 100) == Array("89".utf8))
    #expect(try await file.read(at: end + 10, count: 1) == [])
  }

  @Test func `a path without an extension serves the .html file of its name`() async throws {
    let folder = try TemporaryFolder([
      "about.html": "about", "both.html": "both", "both/team.html": "team", "plain": "plain", "plain.html": "not this",
    ])
    for (path, text) in [("/about", "about"), ("/both", "both"), ("/both/team", "team"), ("/plain", "plain")] {
      let file = try #require(try await folder.file(path))
      #expect(try await file.read(at: 0, count: 100) == Array(text.utf8))
    }
    for path in ["/about/", "/both/", "/nothing", "/.html"] { #expect(try await folder.file(path) == nil) }
  }

  @Test func `a file has the encoded copies beside it unless they are older`() async throws {
    let folder = try TemporaryFolder(["a.css": "plain", "a.css.br": "brotli", "a.css.gz": "gzip"])
    let file = try #require(try await folder.file("/a.css"))
    #expect(file.mediaType == "text/css; charset=utf-8")
    for (coding, text) in [(ContentCoding.brotli, "brotli"), (.gzip, "gzip")] {
      let copy = try #require(file.encodedCopies[coding])
      #expect(try await copy.read(at: 0, count: 100) == Array(text.utf8))
      #expect(copy.entityTag != file.entityTag)
    }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder.path + "/a.css.br")
    #expect(try await folder.file("/a.css")?.encodedCopies.keys.sorted { $0.rawValue < $1.rawValue } == [.gzip])
  }
}
