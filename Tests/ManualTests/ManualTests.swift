import Foundation
import Testing

/// The samples of the manual compile.
@Suite struct ManualTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// The lines of a text that matter: without indentation and imports, and without empty ones.
  private func lines(_ text: some StringProtocol) -> [String] {
    text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
      // The formatter decides how far comments stand from the code.
      .map { $0.replacing(#/\s+///#, with: " //") }
  }

  /// The files that samples may stand in: those beside this one, and the example's.
  private func compiledFiles(_ root: URL) throws -> [URL] {
    try [Self.tests, root.appending(path: "Examples/NFCReader")].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".swift") && !$0.hasPrefix(".build/") }.map { folder.appending(path: $0) }
    }
  }

  @Test func `every sample of the page on embedding is in a file that is compiled`() throws {
    let root = Self.tests.deletingLastPathComponent().deletingLastPathComponent()
    let manual = try String(contentsOf: root.appending(path: "docs/embedding.md"), encoding: .utf8)
    let compiled = try compiledFiles(root).map { lines(try String(contentsOf: $0, encoding: .utf8)) }
    let samples = manual.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
    #expect(samples.count >= 4)
    for sample in samples {
      let sample = lines(sample)
      let isThere = compiled.contains { file in file.indices.contains { file[$0...].starts(with: sample) } }
      #expect(isThere, "\(sample.first ?? "") …")
    }
  }
}
