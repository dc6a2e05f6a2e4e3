import Testing

@testable import Footbridge

@Suite struct JournalBufferTests {
  private func add(_ count: Int, to buffer: inout JournalBuffer, byteCount: Int = 0, kind: JournalEntry.Kind = .event) {
    for _ in 0..<count {
      buffer.append(kind, time: 0, page: nil, cause: nil, .members([:]), byteCount: byteCount)
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

  @Test func `of one kind only those are given, and the cursor passes the others by`() {
    var buffer = JournalBuffer()
    add(2, to: &buffer)
    add(1, to: &buffer, kind: .request)
    add(2, to: &buffer)
    let page = buffer.page(after: 0, limit: 10, kind: .request)
    #expect(page.entries.map(\.cursor) == [3])
    #expect(page.next == 5)
  }

  @Test func `the oldest make room, and it is told how many are gone`() {
    var buffer = JournalBuffer()
    add(JournalBuffer.entryLimit + 1000, to: &buffer)
    let page = buffer.page(after: 10, limit: 1)
    #expect(page.entries.map(\.cursor) == [1001])
    #expect(page.dropped == 990)
    #expect(buffer.page(after: 1000, limit: 1).dropped == 0)
  }

  @Test func `large messages make more room, but the latest entry always stays`() {
    var buffer = JournalBuffer()
    add(3, to: &buffer)
    add(1, to: &buffer, byteCount: 2 * JournalBuffer.byteLimit)
    #expect(buffer.page(after: 0, limit: 10).entries.map(\.cursor) == [4])
    add(1, to: &buffer)
    #expect(buffer.page(after: 0, limit: 10).entries.map(\.cursor) == [5])
  }

  @Test(arguments: [-5, 6, 1_000_000]) func `a cursor from nowhere gives no wrong entries`(cursor: Int) {
    var buffer = JournalBuffer()
    add(5, to: &buffer)
    let page = buffer.page(after: cursor, limit: 10)
    #expect(page.entries.map(\.cursor) == (cursor < 0 ? [1, 2, 3, 4, 5] : []))
    #expect(page.next == 5)
  }
}
