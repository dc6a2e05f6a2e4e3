import Foundation
public import Logging

/// The folder in which what outlives the server is kept (`--state`): keys, certificates, the store.
public struct StateDirectory: Sendable {
  /// The folder's path.
  public let path: String

  /// The folder that is used without `--state`: `footbridge` in the XDG state directory.
  public static var defaultPath: String { defaultPath(in: ProcessInfo.processInfo.environment) }

  /// The same with these environment variables. It is never a folder that other users of the machine could make first.
  static func defaultPath(in environment: [String: String]) -> String {
    if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/footbridge" }
    return (environment["HOME"] ?? NSHomeDirectory()) + "/.local/state/footbridge"
  }

  /// Makes the folder if it is not there, for this user alone (mode 0700). A folder of this user that others can get into is closed to them,
  /// and `logger` is told.
  ///
  /// - Throws: ``FootbridgeError/stateUnusable(_:reason:)``, also when the folder is another user's, or one that several users share.
  public init(path: String, logger: Logger? = nil) throws(FootbridgeError) {
    self.path = path
    try Self.make(path)
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.unusable(path, errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .stateUnusable(path, reason: "It is no folder.") }
    guard status.st_uid == geteuid() else {
      throw .stateUnusable(path, reason: "It belongs to another user, who could read the keys in it.")
    }
    // What is in such a folder, as in /tmp, is not one user's to close.
    guard status.st_mode & Self.stickyBit == 0 else {
      throw .stateUnusable(
        path, reason: "Several users share it (its sticky bit is set), and could read the keys in it.")
    }
    guard status.st_mode & Self.othersBits != 0 else { return }
    guard chmod(path, 0o700) == 0 else { throw Self.unusable(path, errno) }
    logger?.warning(
      "\(path) was open to other users of this machine. It is yours alone now (mode 0700): keys are in it.")
  }

  private static let stickyBit: mode_t = 0o1000
  private static let othersBits: mode_t = 0o077

  /// Makes a folder, and those around it that are not there.
  private static func make(_ path: String) throws(FootbridgeError) {
    // FileManager makes a folder for everybody first.
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let code = errno
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard code == ENOENT, parent != path, !path.isEmpty else { throw unusable(path, code) }
    try make(parent)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw unusable(path, errno) }
  }

  private static func unusable(_ path: String, _ code: Int32) -> FootbridgeError {
    .stateUnusable(path, reason: String(cString: strerror(code)) + ".")
  }

  /// The content of a file in the folder; nil when it is not there.
  func read(_ name: String) throws -> Data? {
    let file = path + "/" + name
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    Self.tighten(file)
    do {
      return try Data(contentsOf: URL(fileURLWithPath: file))
    } catch {
      throw FootbridgeError.stateUnusable(file, reason: error.localizedDescription)
    }
  }

  /// The content of a file, which is created with `content`, made only then, when it is not there. Of several servers that start at once
  /// over the same folder, the first one's content is what all get.
  func read(_ name: String, orCreate content: @autoclosure () throws -> [UInt8]) throws -> Data {
    if let data = try read(name) { return data }
    let content = try content()
    let temporary = name + "." + UUID().uuidString
    try write(Data(content), to: temporary)
    defer { try? FileManager.default.removeItem(atPath: path + "/" + temporary) }
    if link(path + "/" + temporary, path + "/" + name) == 0 { return Data(content) }
    let reason = String(cString: strerror(errno))
    guard let data = try read(name) else { throw FootbridgeError.stateUnusable(path + "/" + name, reason: reason) }
    return data
  }

  /// Closes a file of this user to others: who has put it back from a backup may have left it open.
  private static func tighten(_ file: String) {
    var status = stat()
    guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & othersBits != 0
    else { return }
    chmod(file, 0o600)
  }

  /// Writes a file that this user alone can read, whole or not at all. Returns when it is synced to the disk.
  func write(_ data: Data, to name: String) throws {
    let file = path + "/" + name
    let temporary = file + ".new"
    // An earlier server may have ended while it wrote.
    unlink(temporary)
    guard Self.create(temporary, data), rename(temporary, file) == 0, Self.sync(path) else {
      let reason = String(cString: strerror(errno)) + "."
      unlink(temporary)
      throw FootbridgeError.stateUnusable(file, reason: reason)
    }
  }

  /// Creates a file that this user alone can read from its first moment on, and syncs it to the disk. False, with the reason in `errno`,
  /// when that fails.
  private static func create(_ path: String, _ data: Data) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // A disk that is nearly full takes a part, and says only with the next part that it is full.
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return fsync(descriptor) == 0
  }

  /// Syncs the names in a folder to the disk. False, with the reason in `errno`, when that fails.
  private static func sync(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}
