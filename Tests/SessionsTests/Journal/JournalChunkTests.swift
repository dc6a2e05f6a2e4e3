import Testing

@testable import Sessions

@Suite struct JournalChunkTests {
  /// A text that no other number has, of about so many bytes.
  private func text(_ number: Int, _ count: Int) -> [UInt8] {
    Array("\(number):".utf8) + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count)
  }

  private func add(_ text: [UInt8], to buffer: inout JournalBuffer, cause: Int? = nil) {
    text.withUnsafeBufferPointer {
      buffer.append(.request, time: 1, page: PageName(number: 3), cause: cause, .message, text: $0)
    }
  }

  private func texts(_ buffer: borrowing JournalBuffer, after cursor: Int = 0) -> [[UInt8]] {
    buffer.page(after: cursor, limit: .max).entries.map { entry in
      if case .text(let text) = entry.content { text } else { [] }
    }
  }

  @Test func `texts over several chunks are read back in order`() {
    var buffer = JournalBuffer()
    let all = (0..<500).map { text($0, $0 * 37 % 4096) }
    for text in all { add(text, to: &buffer) }
    #expect(texts(buffer) == all)
    #expect([0, 1, 250, 498, 499].allSatisfy { texts(buffer, after: $0) == Array(all[$0...]) })
  }

  @Test func `texts are read back after the oldest were dropped`() {
    var buffer = JournalBuffer()
    let all = (0..<6000).map { text($0, $0 * 53 % 3000) }
    for (number, text) in all.enumerated() {
      add(text, to: &buffer)
      if number % 500 == 0 { #expect(texts(buffer) == Array(all[...number].suffix(texts(buffer).count))) }
    }
    let (entries, next, dropped) = buffer.page(after: 0, limit: .max)
    #expect(dropped > 0 && dropped + entries.count == 6000 && next == 6000)
    #expect(entries.map(\.cursor) == Array((dropped + 1)...6000))
    #expect(texts(buffer) == Array(all[dropped...]))
  }

  @Test func `empty texts and texts larger than a chunk are stored`() {
    var buffer = JournalBuffer()
    let all = [[], text(1, 100_000), [], text(2, 1), text(3, 1 << 20), [], text(4, 1)]
    for text in all { add(text, to: &buffer) }
    #expect(texts(buffer) == all)
  }

  @Test func `entries without text are read back among texts, with page and cause`() {
    var buffer = JournalBuffer()
    for number in 1...3000 {
      if number.isMultiple(of: 3) {
        buffer.append(
          .page, time: 2, page: PageName(number: 7), cause: number - 2, .action("\(number)", data: nil), byteCount: 8000
        )
      } else {
        add(text(number, 500), to: &buffer, cause: number / 2)
      }
    }
    let entries = buffer.page(after: 0, limit: .max).entries
    #expect(entries.count > 1000 && entries.count < 3000)
    for entry in entries {
      switch entry.content {
      case .action(let name, _):
        #expect(name == "\(entry.cursor)" && entry.page == "page-7" && entry.cause == entry.cursor - 2)
      case .text(let found):
        #expect(found == text(entry.cursor, 500) && entry.page == "page-3")
        #expect(entry.cause == entry.cursor / 2)
      default: Issue.record("There is no such entry.")
      }
    }
    #expect(buffer.latest?.cursor == 3000)
  }
}
