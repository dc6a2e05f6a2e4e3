import BridgeRuntime
import Essentials

/// A connection that gets one answer and is then closed. Its bytes are read and discarded, since closing with unread
/// bytes could cost the peer the answer.
@BridgeActor
final class RefusedConnection: RawDescriptor {
  private let ended: () -> Void

  /// How long the peer may take to read the answer and close.
  private static let patience = Duration.seconds(2)

  /// Takes over a descriptor. `ended` is called when it is free again.
  init(descriptor: Int32, ended: @escaping () -> Void) {
    self.ended = ended
    super.init(descriptor: descriptor)
  }

  /// Sends a short answer; bytes that the connection does not take at once are dropped. Returns false, with the
  /// descriptor closed, when that is not possible.
  func refuse(_ answer: [UInt8]) -> Bool {
    guard watch() else { return false }
    _ = write(descriptor, answer, answer.count)
    shutdown(descriptor, Int32(SHUT_WR))
    setTimer(Self.patience)
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

/// A descriptor kept in reserve. When the system has no more, it is used to tell a connection so.
@BridgeActor
final class ReservedDescriptor {
  private var descriptor: Int32?

  /// Opens the reserve, if the system has a descriptor.
  init() {
    restore()
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Frees the descriptor for the next connection. False when it is already in use.
  func release() -> Bool {
    guard let descriptor else { return false }
    close(descriptor)
    self.descriptor = nil
    return true
  }

  /// Opens the reserve again, unless it is open. False when the system has no descriptor.
  @discardableResult
  func restore() -> Bool {
    if descriptor != nil { return true }
    let opened = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { return false }
    descriptor = opened
    return true
  }
}
