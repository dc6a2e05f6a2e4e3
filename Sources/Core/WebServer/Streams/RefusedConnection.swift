import BridgeRuntime
import Essentials

/// A connection that gets one answer and is then closed. Its bytes are read and discarded: if it closed with unread
/// bytes, the peer could lose the answer (RFC 9112, section 9.6).
@BridgeActor
final class RefusedConnection: RawDescriptor {
  private let ended: () -> Void

  /// How long the peer may take to read the answer and to close.
  private static let timeout = Duration.seconds(2)

  /// Takes over a descriptor, and calls `ended` when it is closed.
  init(descriptor: Int32, ended: @escaping () -> Void) {
    self.ended = ended
    super.init(descriptor: descriptor)
  }

  /// Sends an answer; bytes that the system does not accept at once are dropped. Returns false, with the descriptor
  /// closed, if the loop cannot watch it.
  func refuse(_ answer: [UInt8]) -> Bool {
    guard watch() else { return false }
    _ = write(descriptor, answer, answer.count)
    shutdown(descriptor, Int32(SHUT_WR))
    setTimer(Self.timeout)
    // The first packet of a client usually contains its request.
    becameReadable()
    return true
  }

  override func becameReadable() {
    let count = read(descriptor, EventLoop.scratch.baseAddress, EventLoop.scratch.count)
    if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { closeSoon() }
  }

  override func timerFired() {
    closeSoon()
  }

  override func closed() {
    super.closed()
    ended()
  }
}

/// A descriptor kept in reserve. When the process has no other, it is closed, so that one connection can be accepted
/// and refused.
@BridgeActor
final class ReservedDescriptor {
  private var descriptor: Int32?

  /// Opens the reserve, if there is a free descriptor.
  init() {
    restore()
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Closes the descriptor, so that the next connection can use its number. Returns false if it is not open.
  func release() -> Bool {
    guard let descriptor else { return false }
    close(descriptor)
    self.descriptor = nil
    return true
  }

  /// Opens the reserve again, unless it is open. Returns false if there is no free descriptor.
  @discardableResult
  func restore() -> Bool {
    if descriptor != nil { return true }
    let opened = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { return false }
    descriptor = opened
    return true
  }
}
