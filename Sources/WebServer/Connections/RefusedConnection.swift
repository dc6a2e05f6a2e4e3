import BridgeRuntime
import Foundation

/// A connection that is told one thing and then closed: what it sends is thrown away, since bytes that nobody has read would take the answer
/// from the peer.
@BridgeActor
final class RefusedConnection: RawDescriptor {
  private let ended: () -> Void

  /// How long the peer has time to read the answer and close.
  private static let patience = Duration.seconds(2)

  /// `ended` is called when the descriptor is free again.
  init(descriptor: Int32, ended: @escaping () -> Void) {
    self.ended = ended
    super.init(descriptor: descriptor)
  }

  /// Sends `answer`, which must be short: what the connection does not take at once is left out. False when that is not possible; the
  /// descriptor is closed then.
  func refuse(_ answer: [UInt8]) -> Bool {
    guard watch() else { return false }
    _ = write(descriptor, answer, answer.count)
    shutdown(descriptor, Int32(SHUT_WR))
    setTimer(Self.patience)
    // Clients send with their first packet what they want.
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
