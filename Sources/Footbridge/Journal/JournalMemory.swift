/// Memory for texts that are added one after another and never change.
final class JournalMemory {
  /// A session that does little has little; one that does much takes this much at a time.
  private static let smallest = 1 << 10
  private static let largest = 64 << 10

  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0

  /// Takes memory that has room for `byteCount` bytes, and for more of them if there is a text before.
  init(after previous: JournalMemory?, for byteCount: Int) {
    let usual = min(previous.map { $0.memory.count * 2 } ?? Self.smallest, Self.largest)
    memory = .allocate(byteCount: max(usual, byteCount), alignment: 1)
  }

  deinit {
    memory.deallocate()
  }

  /// Adds a text and returns where it stands; nil when there is no room for it.
  func append(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    let start = count
    guard memory.count - start >= text.count else { return nil }
    UnsafeMutableRawBufferPointer(rebasing: memory[start...]).copyMemory(from: UnsafeRawBufferPointer(text))
    count += text.count
    return start
  }

  /// The bytes of a text.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    precondition(range.upperBound <= count)
    return Array(memory[range])
  }
}
