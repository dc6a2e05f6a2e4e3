import Foundation
import Testing

@testable import WebServer

@Suite struct StaticRootTests {
  @Test(
    arguments: [
      ("/", []), ("/a/b.txt", ["a", "b.txt"]), ("//a//b/", ["a", "b"]), ("/a%20b", ["a b"]), ("/%C3%A9", ["é"]),
      ("/.well-known/x", [".well-known", "x"]),
    ] as [(String, [String])])
  func `a path is decoded into names`(path: String, names: [String]) {
    #expect(StaticRoot.components(of: path) == names)
  }

  @Test(arguments: [
    "/..", "/a/../b", "/%2e%2e/a", "/%2E%2E", "/a%2Fb", "/a%00b", "/.git/config", "/%", "/%zz", "/%ff", "a", "",
  ])
  func `a path that could lead elsewhere has none`(path: String) {
    #expect(StaticRoot.components(of: path) == nil)
  }

  @Test func `a folder that is not there, or is a file, is no root`() {
    #expect(StaticRoot(path: "/does/not/exist") == nil)
    #expect(StaticRoot(path: #filePath) == nil)
    #expect(StaticRoot(path: "/tmp/")?.path.hasSuffix("/") == false)
  }

  @Test func `a file gives its bytes from anywhere, and no more than there are`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("0123456789".utf8).write(to: folder.appendingPathComponent("digits.txt"))
    let root = try #require(StaticRoot(path: folder.path))
    guard case .file(let file) = try await root.lookUp("/digits.txt") else {
      Issue.record("The file was not found.")
      return
    }
    #expect(file.byteCount == 10)
    #expect(try await file.read(at: 3, count: 4) == Array("3456".utf8))
    #expect(try await file.read(at: 8, count: 100) == Array("89".utf8))
    #expect(try await file.read(at: 20, count: 1) == [])
  }
}
