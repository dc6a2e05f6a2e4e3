import BridgeCore
import BridgeRuntime
import Essentials
import Footbridge
import Sessions

/// The record of a running server, for other commands of the same user. It is a file in a folder of this user, with the server's address
/// and token.
///
/// The server holds a lock on the file. The file of a server that was killed has no lock, and is ignored.
struct ServerRecord: Sendable, Hashable {
  /// The server's address.
  let url: String
  /// The token of its control API.
  let token: String
  /// The process.
  let process: Int
  /// The folder that the server was started in.
  let folder: String

  /// The folder of the records: `footbridge` in the XDG runtime directory, or `footbridge-UID` in the folder for temporary files.
  static var directory: String {
    let environment = ProcessInfo.processInfo.environment
    if let base = environment["XDG_RUNTIME_DIR"], base.hasPrefix("/") { return base + "/footbridge" }
    let temporary = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    return temporary + (temporary.hasSuffix("/") ? "" : "/") + "footbridge-\(geteuid())"
  }

  private static let suffix = ".json"
  private static let longest = 64 << 10

  /// The running servers of this user, sorted by address.
  static func running() -> [ServerRecord] {
    files().compactMap { read($0) }.sorted { $0.url < $1.url }
  }

  private static func files() -> [String] {
    guard isOwnFolder else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { $0.hasSuffix(suffix) }.map { directory + "/" + $0 }
  }

  /// Whether the folder of the records exists and is this user's. Another user may have put a folder or a symbolic link there.
  private static var isOwnFolder: Bool {
    var status = stat()
    return lstat(directory, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
  }

  /// Whether there is something that is not a folder of this user.
  private static var isTaken: Bool {
    var status = stat()
    return lstat(directory, &status) == 0 && !isOwnFolder
  }

  /// The record in a file; nil if its server has ended, or if the file is not a record of this user.
  private static func read(_ path: String) -> ServerRecord? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), isLocked(descriptor) else { return nil }
    var bytes = [UInt8](repeating: 0, count: longest)
    let count = Essentials.read(descriptor, &bytes, longest)
    guard count > 0, let value = try? JSONValue(parsing: bytes[..<count]) else { return nil }
    return ServerRecord(value)
  }

  /// Whether another process has locked a file.
  private static func isLocked(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  private init?(_ value: JSONValue) {
    guard let url = value["url"]?.stringValue, let token = value["token"]?.stringValue,
      let process = value["process"]?.numberValue, let folder = value["folder"]?.stringValue
    else { return nil }
    self.init(url: url, token: token, process: Int(process), folder: folder)
  }

  init(url: String, token: String, process: Int, folder: String) {
    self.url = url
    self.token = token
    self.process = process
    self.folder = folder
  }

  private var bytes: [UInt8] {
    let value: JSONValue = [
      "url": .string(url), "token": .string(token), "process": .number(Double(process)), "folder": .string(folder),
    ]
    return Array((value.jsonText + "\n").utf8)
  }
}

extension ServerRecord {
  /// Writes the record of a server that this process runs.
  @BridgeActor
  final class Writer {
    private var file: (path: String, descriptor: Int32)?

    nonisolated init() {}

    /// Writes the record. A failure is ignored: the server runs without a record, and commands need its address as an option.
    func begin(_ record: ServerRecord) {
      // Looked at before and after: the link of another user may come in between.
      guard file == nil, !ServerRecord.isTaken, let directory = try? StateDirectory(path: ServerRecord.directory),
        ServerRecord.isOwnFolder
      else { return }
      // Only one server at a time: otherwise it could take another's new file for that of a server that was killed.
      let turn = open(directory.path + "/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
      guard turn >= 0 else { return }
      defer { close(turn) }
      guard flock(turn, LOCK_EX) == 0 else { return }
      Self.sweep()
      let path = directory.path + "/" + UUID().uuidString + ServerRecord.suffix
      let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return }
      file = (path, descriptor)
      let bytes = record.bytes
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0 || write(descriptor, bytes, bytes.count) != bytes.count { end() }
    }

    /// Removes the record.
    func end() {
      guard let (path, descriptor) = file else { return }
      unlink(path)
      close(descriptor)
      file = nil
    }

    /// Removes files that ended servers have left.
    private static func sweep() {
      for path in ServerRecord.files() {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { continue }
        if !ServerRecord.isLocked(descriptor) { unlink(path) }
        close(descriptor)
      }
    }
  }
}
