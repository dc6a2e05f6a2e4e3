/// The text of a page's message, in memory that it shares with the texts before and after it: there is one for each call, and memory of its
/// own for each would be given back when no cache has it any more.
struct JournalText: Sendable {
  private let memory: JournalMemory
  private let start: UInt32
  private let count: UInt32

  /// Keeps `text` in `memory`, which is replaced when it is full. `text` is shorter than 4 GiB.
  init(_ text: UnsafeBufferPointer<UInt8>, in memory: inout JournalMemory?) {
    let earlier = memory.flatMap { $0.hasRoom(for: text.count) ? $0 : nil }
    let present = earlier ?? JournalMemory(after: memory, for: text.count)
    memory = present
    self.memory = present
    start = UInt32(present.append(text))
    count = UInt32(text.count)
  }

  /// The text.
  var bytes: [UInt8] { memory.bytes(Int(start)..<Int(start + count)) }
}
