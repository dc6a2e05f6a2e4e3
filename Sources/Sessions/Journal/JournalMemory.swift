/// Memory for records of a journal, given back when no piece is in it any more.
final class JournalMemory {
  let bytes: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    bytes = .allocate(byteCount: byteCount, alignment: MemoryLayout<JournalRecord>.alignment)
  }

  deinit {
    bytes.deallocate()
  }
}
