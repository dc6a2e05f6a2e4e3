/// A piece of memory with records of a journal one after another, each followed by its text. What is in it never changes, and goes as a whole.
///
/// What is needed to add a record is here, and not where the memory's owner is, in no cache of the processor.
struct JournalPiece {
  /// A session that does little has little; one that does much takes this much at a time, in bytes.
  static let smallest = 128
  private static let largest = 64 << 10
  /// What the records of a piece may count for together, in bytes: what goes with it is only a part of a journal.
  private static let weightLimit = 512 << 10

  /// The cursor of the first record.
  let firstCursor: Int
  /// How many bytes are written.
  private(set) var count = 0
  /// What the records count for, in bytes.
  private(set) var weight = 0
  /// How many bytes those of its entries count for that are no text: they are elsewhere.
  private(set) var contentByteCount = 0

  /// How many bytes of memory the piece has.
  var capacity: Int { memory.count }

  private let memory: UnsafeMutableRawBufferPointer
  private let owner: JournalMemory

  /// Takes memory in which a record of `stride` bytes has room, and more of them if there is a piece before.
  init(firstCursor: Int, after previous: JournalPiece?, for stride: Int) {
    self.firstCursor = firstCursor
    let usual = min(previous.map { $0.memory.count * 4 } ?? Self.smallest, Self.largest)
    owner = JournalMemory(byteCount: max(usual, stride))
    memory = owner.bytes
  }

  /// Adds a record and its text, of which it tells the length. False when there is no room.
  mutating func append(_ record: JournalRecord, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
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

  /// The record at an offset, where there must be one.
  func record(at offset: Int) -> JournalRecord {
    precondition(offset < count)
    return memory.load(fromByteOffset: offset, as: JournalRecord.self)
  }

  /// The text that follows the record at an offset.
  func text(at offset: Int) -> [UInt8] {
    let start = offset + MemoryLayout<JournalRecord>.stride
    return Array(memory[start..<(start + Int(record(at: offset).textCount))])
  }
}
