import Essentials

/// Locks a state directory for one server. If two servers ran the same session, each would overwrite what the other has stored; and
/// browsers send a session's cookie to every port of a host.
///
/// The lock ends with its process, even if that crashes.
package final class StateLock: Sendable {
  /// The file's name in the state directory.
  static let fileName = "footbridge.lock"

  private let descriptor: Int32

  /// Locks the directory. Throws ``StateError/inUse(_:)`` while another server has the lock.
  package init(_ directory: StateDirectory) throws(StateError) {
    let path = directory.path + "/" + Self.fileName
    // Commands that the server starts must not hold the lock after it has ended.
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unusable(path, reason: String(cString: strerror(errno)) + ".") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      if code == EWOULDBLOCK { throw .inUse(directory.path) }
      throw .unusable(path, reason: String(cString: strerror(code)) + ".")
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
