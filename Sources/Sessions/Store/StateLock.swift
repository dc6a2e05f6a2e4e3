import Essentials

/// What keeps a state directory to one server: two that have the same session running would each overwrite what the other has kept, and
/// browsers send a session's cookie to every port of a host.
///
/// It is gone with its process, however that ends.
package final class StateLock: Sendable {
  /// The file's name in the state directory.
  static let fileName = "footbridge.lock"

  private let descriptor: Int32

  /// Takes the directory. Throws ``StateError/inUse(_:)`` while another server has it.
  package init(_ directory: StateDirectory) throws(StateError) {
    let path = directory.path + "/" + Self.fileName
    // Commands that the server's process runs must not hold the lock when it has ended.
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
