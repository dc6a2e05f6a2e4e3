/// Memory that frames are written into, one after another, behind room for libwebsockets.
///
/// Owned by one batch at a time; on the actor.
final class FrameBuffer {
  /// How many bytes at the start are libwebsockets' own.
  let headroom: Int
  /// How many bytes of frames there are.
  private(set) var count = 0
  /// How many bytes there is room for besides the headroom.
  private(set) var capacity: Int

  private var memory: UnsafeMutablePointer<UInt8>

  /// Takes memory for so many bytes of frames.
  init(headroom: Int, capacity: Int) {
    self.headroom = headroom
    self.capacity = capacity
    memory = .allocate(capacity: headroom + capacity)
    memory.initialize(repeating: 0, count: headroom)
  }

  deinit {
    memory.deallocate()
  }

  /// The frames, behind which there is memory, and before which there are ``headroom`` bytes of it.
  var frames: UnsafeMutableBufferPointer<UInt8> { UnsafeMutableBufferPointer(start: memory + headroom, count: count) }

  /// Forgets the frames.
  func removeAll() {
    count = 0
  }

  /// Appends at most `room` bytes, which `write` writes; it returns how many.
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
