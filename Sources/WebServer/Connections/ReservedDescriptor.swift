import BridgeRuntime
import Foundation

/// A descriptor that is kept open for nothing, so that there is one more when the system gives no more: for a connection that is told so.
@BridgeActor
final class ReservedDescriptor {
  private var descriptor: Int32?

  /// Takes one, if there is one.
  init() {
    restore()
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Closes it, so that the next one to be opened has its place. False when it is in use already.
  func release() -> Bool {
    guard let descriptor else { return false }
    close(descriptor)
    self.descriptor = nil
    return true
  }

  /// Takes one again, unless it is there. False when the system still gives none.
  @discardableResult
  func restore() -> Bool {
    if descriptor != nil { return true }
    let opened = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { return false }
    descriptor = opened
    return true
  }
}
