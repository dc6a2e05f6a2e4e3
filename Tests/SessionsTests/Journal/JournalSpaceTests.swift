import BridgeCore
import BridgeRuntime
import Delivery
import Testing

@testable import Sessions

@BridgeActor
@Suite struct JournalSpaceTests {
  private static let limit = 1 << 20

  private let space = JournalSpace(byteLimit: limit)
  private let page = PageName(number: 1)

  private func newJournal() -> Journal { Journal(clock: ManualBridgeClock(), space: space) }

  /// Has a journal hold about so many bytes more.
  private func write(_ byteCount: Int, to journal: Journal, isText: Bool = true) {
    let message = BridgeMessage(
      version: "1.0", correlationId: "1", type: .request, timestamp: 5,
      payload: BridgePayload(action: "a", data: nil, status: nil, error: nil))
    for _ in 0..<(byteCount / 2048) {
      if isText {
        let text = [UInt8](repeating: 0x20, count: 2000)
        text.withUnsafeBufferPointer {
          _ = journal.append(
            .request, page: page, of: ActionOwner(traits: [.madeByShim], index: 0), text: $0, message: message)
        }
      } else {
        journal.append(.control, action: "a", data: ["a": .string(String(repeating: "b", count: 1800))])
      }
    }
  }

  private func dropped(_ journal: Journal) -> Int { journal.entries(after: 0, limit: 1).dropped }

  @Test(arguments: [true, false])
  func `all journals together stay below the byte limit`(isText: Bool) {
    let journals = (0..<100).map { _ in newJournal() }
    for journal in journals {
      write(64 << 10, to: journal, isText: isText)
      #expect(space.byteCount <= Self.limit)
    }
    let entries = journals.map { $0.entries(after: 0, limit: .max).entries.count }
    #expect(entries.reduce(0, +) * 1800 <= Self.limit)
    #expect(entries.reduce(0, +) * 2048 >= Self.limit / 2)
    #expect(entries.last == 32)
  }

  @Test func `the journal that was idle longest drops its oldest entries first`() {
    let first = newJournal()
    let second = newJournal()
    let third = newJournal()
    write(256 << 10, to: first)
    write(384 << 10, to: second)
    write(64 << 10, to: first)
    write(448 << 10, to: third)
    #expect(dropped(second) > 0 && dropped(second) < 192)
    #expect(dropped(first) == 0 && dropped(third) == 0)
    let left = second.entries(after: 0, limit: .max).entries
    #expect(left.first?.cursor == dropped(second) + 1 && left.last?.cursor == 192)
  }

  @Test func `a journal that is written to repeatedly is not idle`() {
    let idle = newJournal()
    let busy = newJournal()
    write(32 << 10, to: busy)
    write(32 << 10, to: idle)
    for _ in 0..<20 {
      write(2 << 10, to: busy)
      write(64 << 10, to: newJournal())
    }
    #expect(dropped(idle) == 16)
    #expect(busy.entries(after: 0, limit: .max).entries.last?.cursor == 36)
    #expect(dropped(busy) == 0)
  }

  @Test func `an idle journal can lose all entries, which are counted once`() {
    let journal = newJournal()
    write(32 << 10, to: journal)
    write(2 * Self.limit, to: newJournal())
    let (entries, next, dropped) = journal.entries(after: 3, limit: 100)
    #expect(entries.isEmpty && next == 16 && dropped == 13)
    write(4 << 10, to: journal)
    let more = journal.entries(after: next, limit: 100)
    #expect(more.entries.map(\.cursor) == [17, 18] && more.dropped == 0)
  }

  @Test func `the latest entry of a journal is never dropped`() {
    let small = JournalSpace(byteLimit: 1024)
    let journal = Journal(clock: ManualBridgeClock(), space: small)
    for cursor in 1...100 {
      write(2 << 10, to: journal)
      #expect(journal.entries(after: cursor - 1, limit: 1).entries.map(\.cursor) == [cursor])
    }
  }

  @Test func `a journal that has ended takes no space`() {
    let journal = newJournal()
    write(512 << 10, to: journal)
    #expect(space.byteCount > Self.limit / 4)
    journal.end(.deleted)
    #expect(space.byteCount == 0)
    write(512 << 10, to: journal)
    #expect(space.byteCount == 0)
  }

  @Test func `reaching the byte limit calls onFull`() {
    var count = 0
    space.onFull = { count += 1 }
    let journal = newJournal()
    write(Self.limit / 2, to: journal)
    #expect(count == 0)
    write(Self.limit, to: journal)
    #expect(count > 0)
  }
}
