import Testing

@testable import Sessions

@Suite struct JournalBufferTests {
  private func add(_ count: Int, to buffer: inout JournalBuffer, byteCount: Int = 0, kind: JournalEntry.Kind = .event) {
    for _ in 0..<count {
      buffer.append(kind, time: 0, page: nil, cause: nil, .members([]), byteCount: byteCount)
    }
  }

  @Test func `entries are numbered from 1 and read in pages`() {
    var buffer = JournalBuffer()
    add(5, to: &buffer)
    let first = buffer.page(after: 0, limit: 3)
    #expect(first.entries.map(\.cursor) == [1, 2, 3])
    #expect(first.next == 3 && first.dropped == 0)
    let second = buffer.page(after: first.next, limit: 3)
    #expect(second.entries.map(\.cursor) == [4, 5])
    let third = buffer.page(after: second.next, limit: 3)
    #expect(third.entries.isEmpty && third.next == 5)
  }

  @Test func `a cursor of another journal returns all entries once`() {
    var buffer = JournalBuffer(firstCursor: 1_000_000)
    #expect(buffer.page(after: 7, limit: 10).next == 999_999)
    add(3, to: &buffer)
    // Cursors of a journal that was earlier, or at a server whose clock was ahead.
    for foreign in [0, 7, 999_998, 1_000_003, 2_000_000, .max] {
      let page = buffer.page(after: foreign, limit: 10)
      #expect(page.entries.map(\.cursor) == [1_000_000, 1_000_001, 1_000_002])
      #expect(page.next == 1_000_002 && page.dropped == 0)
      #expect(buffer.page(after: page.next, limit: 10).entries.isEmpty)
    }
    #expect(buffer.page(after: 1_000_000, limit: 10).entries.count == 2)
    add(JournalBuffer.entryLimit + 1000, to: &buffer)
    #expect(buffer.page(after: 7, limit: 1).dropped == 1003)
  }

  @Test func `a page of one kind has only its entries, and a cursor after all entries`() {
    var buffer = JournalBuffer()
    add(2, to: &buffer)
    add(1, to: &buffer, kind: .request)
    add(2, to: &buffer)
    let page = buffer.page(after: 0, limit: 10, kind: .request)
    #expect(page.entries.map(\.cursor) == [3])
    #expect(page.next == 5)
  }

  @Test func `the oldest entries are dropped above the limit, and counted`() {
    var buffer = JournalBuffer()
    add(JournalBuffer.entryLimit + 1000, to: &buffer)
    let page = buffer.page(after: 10, limit: 1)
    #expect(page.entries.map(\.cursor) == [1001])
    #expect(page.dropped == 990)
    #expect(buffer.page(after: 1000, limit: 1).dropped == 0)
  }

  @Test func `large entries drop more entries, but never the latest one`() {
    var buffer = JournalBuffer()
    add(3, to: &buffer)
    add(1, to: &buffer, byteCount: 2 * JournalBuffer.byteLimit)
    #expect(buffer.page(after: 0, limit: 10).entries.map(\.cursor) == [4])
    add(1, to: &buffer)
    #expect(buffer.page(after: 0, limit: 10).entries.map(\.cursor) == [5])
  }

  /// Adds entry after entry, texts and others as `isText` says, each with what only it has.
  private func add(
    _ cursors: ClosedRange<Int>, to buffer: inout JournalBuffer, byteCount: Int = 0, isText: (Int) -> Bool
  ) {
    for cursor in cursors {
      let cause = cause(of: cursor)
      if isText(cursor) {
        var text = "text \(cursor) " + String(repeating: "x", count: byteCount + cursor % 100)
        text.withUTF8 {
          buffer.append(
            .request, time: Double(cursor), page: PageName(number: cursor), cause: cause, .message, text: $0)
        }
      } else {
        buffer.append(
          .store, time: Double(cursor), page: cursor % 2 == 0 ? PageName(number: cursor) : nil, cause: cause,
          .action("content \(cursor)", data: nil), byteCount: byteCount)
      }
    }
  }

  private func cause(of cursor: Int) -> Int? { cursor % 3 == 0 || cursor <= 7 ? nil : cursor - 7 }

  /// Whether an entry is as it was added.
  private func isRight(_ entry: JournalEntry, byteCount: Int = 0, isText: (Int) -> Bool) -> Bool {
    let cursor = entry.cursor
    guard entry.time == Double(cursor), entry.cause == cause(of: cursor) else { return false }
    switch entry.content {
    case .text(let text):
      return isText(cursor) && entry.kind == .request && entry.page == "page-\(cursor)"
        && text == Array(("text \(cursor) " + String(repeating: "x", count: byteCount + cursor % 100)).utf8)
    case .action(let action, _):
      return !isText(cursor) && entry.kind == .store && entry.page == (cursor % 2 == 0 ? "page-\(cursor)" : nil)
        && action == "content \(cursor)"
    default: return false
    }
  }

  /// Which entries are texts.
  enum Mixture: CaseIterable {
    case all, none, everyOther, nearlyAll, few, firstOnes, laterOnes, byTurns

    func isText(_ cursor: Int) -> Bool {
      switch self {
      case .all: true
      case .none: false
      case .everyOther: cursor % 2 == 0
      case .nearlyAll: cursor % 7 != 0
      case .few: cursor % 1000 == 0
      case .firstOnes: cursor < 15_000
      case .laterOnes: cursor >= 15_000
      case .byTurns: cursor / 5000 % 2 == 0
      }
    }
  }

  @Test(arguments: Mixture.allCases)
  func `texts and other entries are read back as added after older ones were dropped`(
    mixture: Mixture
  ) {
    var buffer = JournalBuffer()
    var added = 0
    for count in [10, 9_989, 1, 1, 7_000, 15_000] {
      add((added + 1)...(added + count), to: &buffer, isText: mixture.isText)
      added += count
      let page = buffer.page(after: 0, limit: .max)
      #expect(page.entries.map(\.cursor) == Array(max(added - JournalBuffer.entryLimit + 1, 1)...added))
      #expect(page.entries.allSatisfy { isRight($0, isText: mixture.isText) })
      #expect(buffer.latest.map { $0.cursor == added && isRight($0, isText: mixture.isText) } == true)
    }
  }

  @Test func `texts and other entries are read back as added after bytes were limited`() {
    let isText = { $0 % 5 != 0 }
    var buffer = JournalBuffer()
    for round in 0..<5 {
      add((round * 1000 + 1)...(round * 1000 + 1000), to: &buffer, byteCount: 4000, isText: isText)
      let entries = buffer.page(after: 0, limit: .max).entries
      #expect(entries.allSatisfy { isRight($0, byteCount: 4000, isText: isText) })
      let byteCount = entries.count * (4000 + JournalBuffer.entryOverhead)
      #expect(byteCount <= JournalBuffer.byteLimit)
      #expect(round < 2 || byteCount > JournalBuffer.byteLimit * 9 / 10)
      #expect(entries.last?.cursor == (round + 1) * 1000)
    }
  }

  @Test func `a page of a kind skips texts of another kind`() {
    var buffer = JournalBuffer()
    #expect(buffer.latest == nil)
    add(1...3, to: &buffer) { $0 == 2 }
    #expect(buffer.page(after: 1, limit: 1).entries.map { isRight($0) { $0 == 2 } } == [true])
    #expect(buffer.page(after: 0, limit: 9, kind: .request).entries.map(\.cursor) == [2])
  }

  @Test(arguments: [Int.min, Int.min + 1, -5, 6, 1_000_000, .max - 1, .max])
  func `an impossible cursor returns all entries`(cursor: Int) {
    var buffer = JournalBuffer()
    add(5, to: &buffer)
    let page = buffer.page(after: cursor, limit: 10)
    #expect(page.entries.map(\.cursor) == [1, 2, 3, 4, 5])
    #expect(page.next == 5)
  }
}
