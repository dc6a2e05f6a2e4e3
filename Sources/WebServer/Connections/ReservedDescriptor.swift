import BridgeRuntime
import Essentials

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
