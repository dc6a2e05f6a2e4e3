/// Memory for texts that are added one after another and never change. It goes when the last of them does.
///
/// Sendable, since what was added stays as it is and is only ever read; only the journal adds, which is the actor's.
final class JournalMemory: @unchecked Sendable {
  /// A session that does little has little; one that does much takes this much at a time.
  private static let smallest = 1 << 10
  private static let largest = 64 << 10

  private let memory: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  /// Takes memory that has room for `byteCount` bytes, and for more of them if there is a text before.
  init(after previous: JournalMemory? = nil, for byteCount: Int = 0) {
    let usual = min(previous.map { $0.memory.count * 2 } ?? Self.smallest, Self.largest)
    memory = .allocate(capacity: max(usual, byteCount))
  }

  deinit {
    memory.deallocate()
  }

  /// Whether a text of so many bytes can be added.
  func hasRoom(for byteCount: Int) -> Bool { memory.count - count >= byteCount }

  /// Adds a text, for which there must be room, and returns where it stands.
  func append(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    precondition(hasRoom(for: text.count))
    let start = count
    _ = UnsafeMutableBufferPointer(rebasing: memory[start...]).initialize(from: text)
    count += text.count
    return start
  }

  /// The bytes of a text.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    precondition(range.upperBound <= count)
    return Array(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory)[range]))
  }
}
