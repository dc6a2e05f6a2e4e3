/// A piece of memory with records of a journal, each followed by its text. Written records never change, and the piece is freed as a whole.
final class JournalPiece {
  /// The size of the first piece, in bytes. Later pieces are larger, so that quiet sessions take little memory.
  static let smallest = 128
  private static let largest = 64 << 10
  /// The maximum size of the records in a piece, in bytes. It keeps pieces small, so that only a part of the journal is dropped at once.
  private static let weightLimit = 512 << 10

  /// The cursor of the first record.
  let firstCursor: Int
  /// The number of bytes written.
  private(set) var count = 0
  /// The size of the records, in bytes.
  private(set) var weight = 0
  /// The size of the contents that are not text and are stored elsewhere, in bytes.
  private(set) var contentByteCount = 0

  /// The capacity in bytes.
  var capacity: Int { memory.count }

  private let memory: UnsafeMutableRawBufferPointer

  /// Allocates memory for a record of `stride` bytes, and for more records if there is an earlier piece.
  init(firstCursor: Int, after previous: JournalPiece?, for stride: Int) {
    self.firstCursor = firstCursor
    let usual = min(previous.map { $0.memory.count * 4 } ?? Self.smallest, Self.largest)
    memory = .allocate(byteCount: max(usual, stride), alignment: MemoryLayout<JournalRecord>.alignment)
  }

  deinit {
    memory.deallocate()
  }

  /// Adds a record and its text. Returns false if there is no room.
  func append(_ record: JournalRecord, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let weight = weight + record.weight
    guard memory.count - count >= record.stride, weight <= Self.weightLimit || count == 0 else { return false }
    self.weight = weight
    if !record.isText { contentByteCount += Int(record.byteCount) }
    memory.storeBytes(of: record, toByteOffset: count, as: JournalRecord.self)
    let start = count + MemoryLayout<JournalRecord>.stride
    UnsafeMutableRawBufferPointer(rebasing: memory[start..<(start + text.count)]).copyMemory(
      from: UnsafeRawBufferPointer(text))
    count += record.stride
    return true
  }

  /// Returns the record at an offset. There must be one.
  func record(at offset: Int) -> JournalRecord {
    precondition(offset < count)
    return memory.load(fromByteOffset: offset, as: JournalRecord.self)
  }

  /// Returns the text after the record at an offset.
  func text(at offset: Int) -> [UInt8] {
    let start = offset + MemoryLayout<JournalRecord>.stride
    return Array(memory[start..<(start + Int(record(at: offset).textCount))])
  }
}

/// The part of an entry besides its content. It consists of numbers only, so that freeing it takes no work.
struct JournalRecord {
  /// The time of the entry, in milliseconds since the Unix epoch.
  let time: Double
  /// The distance to the entry that is its cause; 0 if there is none.
  let causeDistance: UInt32
  /// The number of its page; 0 if there is none, or if the content has its name.
  let page: UInt32
  /// The approximate size of its message in bytes.
  let byteCount: UInt32
  /// The size of the text after the record, in bytes.
  let textCount: UInt32
  let kind: JournalEntry.Kind
  /// Whether the content is the text that follows.
  let isText: Bool

  /// The size of the entry that counts for the limits, in bytes.
  var weight: Int { Int(byteCount) + JournalBuffer.entryOverhead }

  /// The distance to the next record in bytes.
  var stride: Int { MemoryLayout<Self>.stride + (Int(textCount) + 7) & ~7 }
}
