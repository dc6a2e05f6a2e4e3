import Foundation
import Logging
import Testing

@testable import Sessions

@Suite struct StateDirectoryTests {
  /// A path in the temporary folder, and what is there goes afterwards.
  private func withPath(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.path + "/footbridge-state-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func `a state folder and its parents are created for this user only`() throws {
    try withPath { path in
      _ = try StateDirectory(path: path + "/a/b")
      #expect(["", "/a", "/a/b"].map { mode(path + $0) } == [0o700, 0o700, 0o700])
    }
  }

  @Test(arguments: [0o755, 0o750, 0o777, 0o701] as [mode_t])
  func `a state folder that others can enter is closed, with one log line`(mode: mode_t) throws {
    try withPath { path in
      #expect(mkdir(path, 0o700) == 0 && chmod(path, mode) == 0)
      let lines = RecordedLines()
      let logger = Logger(label: "test") { _ in lines }
      _ = try StateDirectory(path: path, logger: logger)
      #expect(self.mode(path) == 0o700)
      #expect(lines.lines.contains { $0.contains(path) && $0.contains("other users") })
      let once = lines.lines.count
      _ = try StateDirectory(path: path, logger: logger)
      #expect(lines.lines.count == once)
    }
  }

  @Test func `a folder that several users share is refused and not changed`() throws {
    try withPath { path in
      #expect(mkdir(path, 0o700) == 0 && chmod(path, 0o1777) == 0)
      #expect(throws: StateError.self) { try StateDirectory(path: path) }
      #expect(mode(path) == 0o1777)
    }
  }

  @Test func `a state file that others could read is closed when it is read`() throws {
    try withPath { path in
      let state = try StateDirectory(path: path)
      try state.write(Data("key".utf8), to: "key")
      #expect(chmod(path + "/key", 0o644) == 0)
      #expect(try state.read("key") == Data("key".utf8))
      #expect(mode(path + "/key") == 0o600)
    }
  }
}
