/// A buffer of consecutive frames, with the room before them that libwebsockets needs.
///
/// It has one owner at a time, on the actor.
final class FrameBuffer {
  /// How many bytes at the start are reserved for libwebsockets.
  let headroom: Int
  /// The size of the frames, in bytes.
  private(set) var count = 0
  /// The capacity for frames, in bytes.
  private(set) var capacity: Int

  private var memory: UnsafeMutablePointer<UInt8>

  /// Allocates a buffer.
  init(headroom: Int, capacity: Int) {
    self.headroom = headroom
    self.capacity = capacity
    memory = .allocate(capacity: headroom + capacity)
    memory.initialize(repeating: 0, count: headroom)
  }

  deinit {
    memory.deallocate()
  }

  /// The frames. There are ``headroom`` bytes before them.
  var frames: UnsafeMutableBufferPointer<UInt8> { UnsafeMutableBufferPointer(start: memory + headroom, count: count) }

  /// Removes the frames.
  func removeAll() {
    count = 0
  }

  /// Appends bytes. `write` writes at most `room` bytes to the memory that it gets, and returns how many.
  func append(upTo room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    if capacity - count < room { grow(by: room) }
    let written = write(memory + headroom + count)
    precondition(written <= room, "More was written than there was room for.")
    count += written
  }

  private func grow(by room: Int) {
    let larger = max(2 * capacity, count + room)
    let former = memory
    memory = .allocate(capacity: headroom + larger)
    memory.initialize(from: former, count: headroom + count)
    former.deallocate()
    capacity = larger
  }
}

/// Checks whether text is UTF-8 (RFC 3629).
///
/// libwebsockets could do so, but it checks byte by byte, which takes longer than all its other work for a message.
enum UTF8Text {
  /// Whether the bytes are valid UTF-8.
  static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    if bytes.count >= 32, let start = UnsafeRawPointer(bytes.baseAddress) {
      // Most messages are ASCII. Check 32 bytes at a time; the last step may check some bytes twice. (Without this, 15
      // % more instructions for a `query`.)
      let last = bytes.count &- 32
      while isASCII(start + index) {
        if index == last { return true }
        index = min(index &+ 32, last)
      }
    }
    while index < bytes.count, bytes[index] < 0x80 { index += 1 }
    guard index < bytes.count else { return true }
    return String(validating: bytes[index...], as: UTF8.self) != nil
  }

  /// Whether 32 bytes are ASCII.
  private static func isASCII(_ start: UnsafeRawPointer) -> Bool {
    let some =
      start.loadUnaligned(as: UInt64.self) | start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      | start.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
      | start.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    return some & 0x8080_8080_8080_8080 == 0
  }
}
