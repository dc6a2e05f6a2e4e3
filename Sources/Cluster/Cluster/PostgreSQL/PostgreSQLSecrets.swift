import Cryptography
package import Essentials
package import Sessions
import Synchronization

/// The key that encrypts the secrets in a database. Whoever reads the database, or a backup of it, cannot read the secrets.
package struct StateKey: Sendable {
  let bytes: [UInt8]
  let path: String

  /// Reads the key from a file.
  ///
  /// - Throws: ``StateError/keyUnusable(_:reason:)`` if the file is missing, has the wrong size, or is open to other users.
  package init(path: String) throws(StateError) {
    self.path = path
    let make =
      "Make one, which every server on the database gets: openssl rand -out \(path) \(SealedBytes.keyByteCount)"
    guard FileManager.default.fileExists(atPath: path) else {
      throw .keyUnusable(path, reason: "There is no such file. \(make)")
    }
    try Self.checkMode(path)
    let data: Data
    do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw .keyUnusable(path, reason: "It cannot be read.")
    }
    guard data.count == SealedBytes.keyByteCount else {
      throw .keyUnusable(
        path, reason: "It has \(data.count) bytes, and a key has \(SealedBytes.keyByteCount). \(make)")
    }
    bytes = Array(data)
  }

  /// Refuses a key file that other users of the machine can read or change, as ssh and libpq do. Like libpq, it accepts a file of root that
  /// a group can read: containers get their secrets in this way.
  private static func checkMode(_ path: String) throws(StateError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .keyUnusable(path, reason: "It cannot be read.") }
    let most: mode_t = status.st_uid == 0 ? 0o640 : 0o600
    let mode = status.st_mode & 0o777
    guard mode & ~(most | 0o100) == 0 else {
      throw .keyUnusable(
        path,
        reason: "Other users can read or change it: its mode is 0\(String(mode, radix: 8)). Close it: chmod 600 \(path)"
      )
    }
  }
}

/// Small files in a database, encrypted with a key that is not in the database.
package struct PostgreSQLSecrets: StateStorage {
  private let engine: PostgreSQLEngine
  private let key: StateKey

  package init(_ engine: PostgreSQLEngine, key: StateKey) {
    self.engine = engine
    self.key = key
  }

  package func place(of name: String) -> String { "\(name) in \(engine.address)" }

  package func read(_ name: String) throws -> Data? {
    let row = try engine.rarely { try $0.row("SELECT content FROM secret WHERE name = ?", .text(name)) }
    return try row.map { try opened($0, name) }
  }

  package var isShared: Bool { true }

  package func readLater(_ name: String) async throws -> Data? {
    let row = try await engine.read { try $0.row("SELECT content FROM secret WHERE name = ?", .text(name)) }
    return try row.map { try opened($0, name) }
  }

  private func opened(_ row: [StoreValue], _ name: String) throws -> Data {
    let mark = Array("\(name)\0".utf8)
    // The name is encrypted with the content, so nobody who can write to the database can exchange two files.
    guard let opened = SealedBytes.open(try row[0].requiredBytes(), with: key.bytes), opened.starts(with: mark) else {
      throw StateError.keyUnusable(
        key.path,
        reason: "\(place(of: name)) is sealed with another key. Use the file of the servers that were there first.")
    }
    return Data(opened.dropFirst(mark.count))
  }

  package func read(_ name: String, orCreate content: @autoclosure () throws -> [UInt8]) throws -> Data {
    if let data = try read(name) { return data }
    let content = try content()
    let sealed = sealed(content, name)
    try engine.rarely { transaction in
      try transaction.run(
        "INSERT INTO secret (name, content) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", .text(name), .blob(sealed))
    }
    return try read(name) ?? Data(content)
  }

  package func write(_ data: Data, to name: String) throws {
    let sealed = sealed(Array(data), name)
    try engine.rarely { transaction in
      try transaction.run(
        "INSERT INTO secret (name, content) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET content = excluded.content",
        .text(name), .blob(sealed))
    }
  }

  package func lock(_ name: String) throws -> any Sendable { try engine.lock(name) }

  package func authorityStorage() -> any StateStorage { self }

  private func sealed(_ content: [UInt8], _ name: String) -> [UInt8] {
    SealedBytes.seal(Array("\(name)\0".utf8) + content, with: key.bytes)
  }
}

extension PostgreSQLEngine {
  /// Runs a transaction on the caller's thread, over the connection for rare use.
  fileprivate func rarely<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value {
    do { return try starter.performNow { try $0.transaction("", body) } } catch { throw unusable(error) }
  }

  /// Takes a lock of the database. It ends with the connection that holds it.
  fileprivate func lock(_ name: String) throws -> any Sendable {
    let lane = lane("lock")
    do {
      _ = try lane.performNow { try $0.rows("SELECT pg_advisory_lock(hashtext(?))", [.text("footbridge \(name)")]) }
    } catch { throw unusable(error) }
    return lane
  }
}
