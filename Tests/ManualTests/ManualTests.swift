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

  @Test func `every sample of the page on embedding is in the file that is compiled`() throws {
    let page = Self.tests.deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/embedding.md")
    let manual = try String(contentsOf: page, encoding: .utf8)
    let compiled = lines(
      try String(contentsOf: Self.tests.appending(path: "EmbeddingSamples.swift"), encoding: .utf8))
    let samples = manual.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
    #expect(samples.count >= 4)
    for sample in samples {
      let sample = lines(sample)
      let isThere = compiled.indices.contains { compiled[$0...].starts(with: sample) }
      #expect(isThere, "\(sample.first ?? "") …")
    }
  }
}
