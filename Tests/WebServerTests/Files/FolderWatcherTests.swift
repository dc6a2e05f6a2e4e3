import BridgeRuntime
import Foundation
import Testing

@testable import WebServer

@Suite @BridgeActor struct FolderWatcherTests {
  private let folder: TemporaryFolder
  private let server: HTTPServer
  private let changes: AsyncStream<String>

  init() async throws {
    folder = try TemporaryFolder()
    server = try HTTPServer { _ in }
    let (changes, continuation) = AsyncStream.makeStream(of: String.self)
    self.changes = changes
    try server.watch(folder.root) { event in
      if case .changed(let path) = event { continuation.yield(path) }
    }
  }

  /// Waits until a change of this path is told; the paths that were told before it.
  private func next(_ path: String) async -> [String] {
    var earlier: [String] = []
    for await change in changes {
      if change == path { return earlier }
      earlier.append(change)
    }
    return earlier
  }

  @Test(.timeLimit(.minutes(5))) func `written, renamed and removed files are reported, hidden ones are not`()
    async throws
  {
    for name in [".hidden", "copy~", "node_modules/x.js", ".git/index"] { try folder.write("x", to: name) }
    try folder.write("x", to: "a.txt")
    #expect(await next("a.txt").allSatisfy { $0 == "a.txt" })
    try FileManager.default.moveItem(atPath: folder.path + "/a.txt", toPath: folder.path + "/b.txt")
    _ = await next("b.txt")
    try FileManager.default.removeItem(atPath: folder.path + "/b.txt")
    _ = await next("b.txt")
    await server.stop()
  }

  @Test(.timeLimit(.minutes(5))) func `new and renamed folders are watched under their names`() async throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/new", withIntermediateDirectories: true)
    _ = await next("new")
    try folder.write("1", to: "new/one.txt")
    _ = await next("new/one.txt")
    try FileManager.default.moveItem(atPath: folder.path + "/new", toPath: folder.path + "/moved")
    _ = await next("moved")
    try folder.write("2", to: "moved/two.txt")
    _ = await next("moved/two.txt")
    await server.stop()
  }

  @Test(.timeLimit(.minutes(5))) func `a folder that was moved away is not watched any more`() async throws {
    let elsewhere = try TemporaryFolder()
    try folder.write("1", to: "old/inner/one.txt")
    _ = await next("old")
    // A folder is watched a moment after it was told of.
    repeat {
      try folder.write("2", to: "old/inner/two.txt")
      try folder.write("2", to: "mark.txt")
    } while await !next("mark.txt").contains("old/inner/two.txt")
    try FileManager.default.moveItem(atPath: folder.path + "/old", toPath: elsewhere.path + "/old")
    try folder.write("3", to: "moved.txt")
    _ = await next("moved.txt")
    try elsewhere.write("4", to: "old/inner/four.txt")
    try folder.write("5", to: "end.txt")
    #expect(await !next("end.txt").contains { $0.hasPrefix("old") })
    await server.stop()
  }
}
