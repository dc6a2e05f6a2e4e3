/// Memory for records of a journal. It is freed when no piece uses it any more.
final class JournalMemory {
  let bytes: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    bytes = .allocate(byteCount: byteCount, alignment: MemoryLayout<JournalRecord>.alignment)
  }

  deinit {
    bytes.deallocate()
  }
}
