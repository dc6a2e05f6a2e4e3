import Foundation
import Testing

@testable import WebServer

/// A folder with files in it, as long as the object lives.
final class TemporaryFolder: Sendable {
  let path: String
  let root: StaticRoot

  /// Makes the folder with these files, by their paths in it.
  init(_ files: [String: String] = [:]) throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    root = try #require(StaticRoot(path: path))
    // Copies come after what they are copies of.
    for (name, text) in files.sorted(by: { $0.key < $1.key }) { try write(text, to: name) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file; folders on the way are made.
  func write(_ text: String, to name: String) throws {
    let url = URL(fileURLWithPath: path).appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// The file that is found at a path; nil when there is none.
  func file(_ path: String) async throws -> OpenFile? {
    guard case .file(let file) = try await root.lookUp(path) else { return nil }
    return file
  }
}
