import DequeModule

/// The texts of messages, one after another in pieces of memory that many of them share: there are two for each call, and memory of its own
/// for each would be given back when no cache has it any more.
struct JournalTexts {
  /// Where a text stands.
  struct Place {
    /// The number of its piece of memory.
    let piece: Int
    fileprivate let start: UInt32
    fileprivate let count: UInt32
  }

  /// The piece that is being filled, and those before it, oldest first.
  private var current: JournalMemory?
  private var full = Deque<JournalMemory>()
  /// The number of the oldest piece.
  private var oldest = 0

  /// Adds a text, which is shorter than 4 GiB.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> Place {
    let start = current?.append(text) ?? appendToNext(text)
    return Place(piece: oldest + full.count, start: UInt32(start), count: UInt32(text.count))
  }

  private mutating func appendToNext(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    let next = JournalMemory(after: current, for: text.count)
    if let current { full.append(current) }
    current = next
    return next.append(text) ?? 0
  }

  /// The text at a place.
  func bytes(_ place: Place) -> [UInt8] {
    let start = Int(place.start)
    let index = place.piece - oldest
    let memory = index < full.count ? full[index] : current
    return memory?.bytes(start..<(start + Int(place.count))) ?? []
  }

  /// Gives the memory back that stands before a piece.
  mutating func forget(before piece: Int) {
    while oldest < piece {
      full.removeFirst()
      oldest += 1
    }
  }
}
