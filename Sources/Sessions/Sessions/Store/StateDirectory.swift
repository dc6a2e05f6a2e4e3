package import Essentials
public import Logging

/// The folder with everything that outlives the server (`--state`): keys, certificates, the store.
public struct StateDirectory: StateStorage {
  /// The folder's path.
  public let path: String

  /// Creates the folder if it does not exist, for this user only (mode 0700). If other users can open an existing folder, changes its mode
  /// and logs this.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)`` if the folder cannot be created, belongs to another user, or is shared by several users.
  public init(path: String, logger: Logger? = nil) throws(StateError) {
    self.path = path
    try Self.make(path)
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.unusable(path, errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .unusable(path, reason: "It is not a folder.") }
    guard status.st_uid == geteuid() else {
      throw .unusable(path, reason: "It belongs to another user, who can read its keys.")
    }
    // A shared folder, such as /tmp, must stay open to others, so it is refused.
    guard status.st_mode & Self.stickyBit == 0 else {
      throw .unusable(
        path, reason: "Several users share it (its sticky bit is set) and can read its keys.")
    }
    guard status.st_mode & Self.othersBits != 0 else { return }
    guard chmod(path, 0o700) == 0 else { throw Self.unusable(path, errno) }
    logger?.warning(
      "\(path) was open to other users of this machine. Since it contains keys, its mode is now 0700.")
  }

  private static let stickyBit: mode_t = 0o1000
  private static let othersBits: mode_t = 0o077

  /// Creates a folder and its missing parents.
  private static func make(_ path: String) throws(StateError) {
    // FileManager creates a folder that everybody can open, and changes its mode only afterwards.
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let code = errno
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard code == ENOENT, parent != path, !path.isEmpty else { throw unusable(path, code) }
    try make(parent)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw unusable(path, errno) }
  }

  private static func unusable(_ path: String, _ code: Int32) -> StateError {
    .unusable(path, reason: String(cString: strerror(code)) + ".")
  }

  package func place(of name: String) -> String { path + "/" + name }

  /// Reads a file in the folder; nil if it does not exist.
  package func read(_ name: String) throws -> Data? {
    let file = path + "/" + name
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    Self.tighten(file)
    do {
      return try Data(contentsOf: URL(fileURLWithPath: file))
    } catch {
      throw StateError.unusable(file, reason: error.localizedDescription)
    }
  }

  /// Reads a file. If it does not exist, creates it with `content`. If several servers start at the same time in the same folder, all get the
  /// content of the first one.
  package func read(_ name: String, orCreate content: @autoclosure () throws -> [UInt8]) throws -> Data {
    if let data = try read(name) { return data }
    let content = try content()
    let temporary = name + "." + UUID().uuidString
    try write(Data(content), to: temporary)
    defer { try? FileManager.default.removeItem(atPath: path + "/" + temporary) }
    if link(path + "/" + temporary, path + "/" + name) == 0 { return Data(content) }
    let reason = String(cString: strerror(errno))
    guard let data = try read(name) else { throw StateError.unusable(path + "/" + name, reason: reason) }
    return data
  }

  package func lock(_ name: String) throws -> any Sendable { try StateLock(waitingFor: name, in: self) }

  /// Makes a file of this user unreadable for others. It may come from a backup that did not keep its mode.
  private static func tighten(_ file: String) {
    var status = stat()
    guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & othersBits != 0
    else { return }
    chmod(file, 0o600)
  }

  /// Writes a file that only this user can read, completely or not at all. Returns when the file is synced to the disk.
  package func write(_ data: Data, to name: String) throws {
    let file = path + "/" + name
    let temporary = file + ".new"
    // An earlier server may have crashed and left its temporary file behind.
    unlink(temporary)
    guard Self.create(temporary, data), rename(temporary, file) == 0, Self.sync(path) else {
      let reason = String(cString: strerror(errno)) + "."
      unlink(temporary)
      throw StateError.unusable(file, reason: reason)
    }
  }

  /// Creates a file that only this user can read from the first moment on, and syncs it to the disk. If this fails, returns false and sets
  /// `errno`.
  private static func create(_ path: String, _ data: Data) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Essentials.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // A disk that is nearly full accepts a part of the data. The next write then fails.
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return fsync(descriptor) == 0
  }

  /// Syncs the entries of a folder to the disk. If this fails, returns false and sets `errno`.
  private static func sync(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}

/// Locks a state directory for one server. Two servers in one directory could run the same session, since browsers send its cookie to
/// every port of a host. Each would overwrite the changes of the other.
///
/// The lock ends with its process, even if the process crashes.
package final class StateLock: Sendable {
  /// The file's name in the state directory.
  static let fileName = "footbridge.lock"

  private let descriptor: Int32

  /// Locks the directory.
  ///
  /// - Throws: ``StateError/inUse(_:)`` if another server has the lock.
  package convenience init(_ directory: StateDirectory) throws(StateError) {
    try self.init(directory, Self.fileName, operation: LOCK_EX | LOCK_NB)
  }

  /// Takes a short lock among servers that share files. Waits until no other server has it.
  ///
  /// - Parameter name: The name of the lock's file in the directory.
  package convenience init(waitingFor name: String, in directory: StateDirectory) throws(StateError) {
    try self.init(directory, name, operation: LOCK_EX)
  }

  private init(_ directory: StateDirectory, _ name: String, operation: CInt) throws(StateError) {
    let path = directory.path + "/" + name
    // O_CLOEXEC: commands that the server starts must not hold the lock after the server has ended.
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unusable(path, reason: String(cString: strerror(errno)) + ".") }
    var result = flock(descriptor, operation)
    while result != 0, errno == EINTR { result = flock(descriptor, operation) }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      if code == EWOULDBLOCK { throw .inUse(directory.path) }
      throw .unusable(path, reason: String(cString: strerror(code)) + ".")
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
