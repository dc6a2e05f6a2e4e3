/// A buffer of consecutive frames, with room for libwebsockets before them.
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

  /// Appends bytes. `write` writes at most `room` bytes and returns how many.
  @inline(__always)
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
