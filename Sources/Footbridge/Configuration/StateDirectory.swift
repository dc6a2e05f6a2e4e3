import Foundation

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

  /// Makes the folder if it is not there, for this user alone. Throws ``FootbridgeError/stateUnusable(_:reason:)``.
  public init(path: String) throws {
    self.path = path
    do {
      try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    } catch {
      throw FootbridgeError.stateUnusable(path, reason: error.localizedDescription)
    }
  }

  /// The content of a file in the folder; nil when it is not there.
  func read(_ name: String) throws -> Data? {
    let file = path + "/" + name
    guard FileManager.default.fileExists(atPath: file) else { return nil }
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
