import BridgeCore
import BridgeRuntime
import Delivery
import Foundation
import GRDB
import Logging
import OnsideKit
import Testing

@testable import Footbridge
@testable import OnsideServer
@testable import Sessions

/// What is SQLite's alone: its file, its tables, and damage.
@Suite struct SQLiteEngineTests: StoredValues {
  private func withDirectory(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (StateDirectory) async throws -> Void
  ) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(StateDirectory(path: path))
  }

  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  @Test func `a time is stored to the millisecond, as GRDB reads it`() throws {
    let date = Date(timeIntervalSince1970: 1_800_000_000.25)
    let text = SessionStore.time(date)
    #expect(text == "2027-01-15 08:00:00.250")
    #expect(Date.fromDatabaseValue(text.databaseValue) == date)
    #expect(text == String.fromDatabaseValue(date.databaseValue))
  }

  /// Closes a store while it is read and written. Returns the errors of the reads and writes.
  private func errorsAtClose(_ directory: StateDirectory) async throws -> [String] {
    let engine = try SQLiteEngine(directory, logger: logger)
    return await withTaskGroup(of: String?.self) { group in
      for number in 0..<40 {
        group.addTask {
          if number == 20 { engine.close() }
          do {
            if number.isMultiple(of: 2) {
              _ = try await engine.read { try $0.rows("PRAGMA user_version", []) }
            } else {
              try await engine.write { try $0.run("PRAGMA user_version = \(number)", []) }
            }
            return nil
          } catch {
            return "\(error)"
          }
        }
      }
      return await group.reduce(into: []) { errors, error in error.map { errors.append($0) } }
    }
  }

  @Test func `what is asked while the store closes is done, or told that the server stops`() async throws {
    for _ in 0..<50 {
      try await withDirectory { directory in
        let errors = try await errorsAtClose(directory)
        #expect(errors.filter { $0 != "the server stops" } == [])
      }
    }
  }

  @Test func `a write whose body throws stores nothing, and the next write is stored`() async throws {
    struct Interruption: Error {}
    try await withDirectory { directory in
      let engine = try SQLiteEngine(directory, logger: logger)
      defer { engine.close() }
      let insert = "INSERT INTO world (name, version, content) VALUES (?, '1', '{}')"
      await #expect(throws: StoreFailure.self) {
        try await engine.write {
          try $0.run(insert, .text("a"))
          throw Interruption()
        }
      }
      // SQLite itself refuses the second row.
      await #expect(throws: StoreFailure.self) {
        try await engine.write { for name in ["b", "b"] { try $0.run(insert, .text(name)) } }
      }
      try await engine.write { try $0.run(insert, .text("c")) }
      let names = try await engine.read { try $0.rows("SELECT name FROM world").map { try $0[0].text() } }
      #expect(names == ["c"])
    }
  }

  @Test func `only a disk error is reported as one of the state directory`() {
    for code: ResultCode in [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY] {
      #expect(
        SQLiteEngine.failure(DatabaseError(resultCode: code)).reason.contains("cannot write to its state directory"))
    }
    #expect(!SQLiteEngine.failure(DatabaseError(resultCode: .SQLITE_CONSTRAINT)).reason.contains("state directory"))
  }

  /// Opens the store in a file with these tables. Returns the error, and the names of the tables that the file has then.
  private func refusal(of sql: String) async throws -> (text: String?, tables: [String]) {
    var refusal: (String?, [String]) = (nil, [])
    try await withDirectory { directory in
      let path = directory.path + "/" + SQLiteEngine.fileName
      let file = try DatabaseQueue(path: path)
      try await file.write { try $0.execute(sql: sql) }
      let error = #expect(throws: StateError.self) {
        try SessionStore(directory, states: [OnsideState.self], logger: logger)
      }
      let tables = try await file.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master") }
      refusal = (error?.description.replacing(path, with: "FILE"), tables)
    }
    return refusal
  }

  @Test func `a file of a newer version is refused and not changed`() async throws {
    let newer = StoreSchema.version + 1
    let refusal = try await refusal(
      of: "\(StoreSchema.statement); INSERT INTO schemaVersion VALUES (\(newer), \(newer))")
    #expect(
      refusal.text
        == "FILE cannot be used: A newer version of Footbridge has written it. Choose another place with --state, or keep nothing with --ephemeral."
    )
    #expect(refusal.tables == ["schemaVersion"])
  }

  @Test func `a file from before the first version is refused and not changed`() async throws {
    let refusal = try await refusal(of: "CREATE TABLE grdb_migrations (identifier TEXT)")
    #expect(
      refusal.text
        == "FILE was written by a version of Footbridge before 0.1.0, which this version cannot read. Move the file away to begin without its sessions, choose another place with --state, or keep nothing with --ephemeral."
    )
    #expect(refusal.tables == ["grdb_migrations"])
  }

  @Test func `damaged files are set aside one by one, unchanged`() async throws {
    try await withDirectory { directory in
      let path = directory.path + "/" + SQLiteEngine.fileName
      let contents = ["no database at all", "nor this one"].map { Data($0.utf8) }
      for content in contents {
        try content.write(to: URL(fileURLWithPath: path))
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        #expect(try await SessionStore(directory, states: [OnsideState.self], logger: logger).session("a") == nil)
      }
      let aside = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        .filter { $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
      let found = try aside.map { try Data(contentsOf: URL(fileURLWithPath: directory.path + "/" + $0)) }
      #expect(Set(found) == Set(contents))
    }
  }

  @Test func `a check finds a file with damaged pages and sets it aside`() async throws {
    try await withDirectory { directory in
      let path = directory.path + "/" + SQLiteEngine.fileName
      do {
        let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
        for number in 0..<200 { try await store.saveAll([change("\(number)", state(locale: "de_DE"))]) }
        // Out of the write-ahead log and into the file.
        let other = try DatabaseQueue(path: path)
        _ = try await other.writeWithoutTransaction { try $0.checkpoint(.truncate) }
      }
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      // What is needed to open the file is whole: it is the content that is damaged.
      let size = try file.seekToEnd()
      try file.seek(toOffset: size / 2)
      try file.write(contentsOf: Data(repeating: 0xAA, count: Int(size - size / 2)))
      try file.close()
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      #expect(await store.check() == .damaged)
      try await store.replaceDamaged()
      #expect(await store.check() == .whole)
      #expect(try await store.session("1") == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).contains { $0.contains(".damaged-") })
    }
  }

  @Test func `a store needs a check unless it was closed`() async throws {
    try await withDirectory { directory in
      let first = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      #expect(!first.needsCheck)
      try await first.saveAll([change("a", state(locale: "de_DE"))])
      #expect(try await first.session("a") != nil)
      #expect(try SessionStore(directory, states: [OnsideState.self], logger: logger).needsCheck)
      first.close()
      #expect(try !SessionStore(directory, states: [OnsideState.self], logger: logger).needsCheck)
    }
  }

  @Test func `each change is synced to the disk`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    let database = try SQLiteEngine.open(path)
    let synchronous = try database.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    #expect(synchronous == 2)
    try database.close()
  }

  @Test func `a session is read while a change waits to be written`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      try await store.saveAll([change("a", state(locale: "de_DE"))])
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(
        path: directory.path + "/" + SQLiteEngine.fileName, configuration: configuration)
      let change = change("b", state(locale: "fr_FR"))
      try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      async let failures = store.save([change])
      for _ in 0..<10 { #expect(try await store.session("a") != nil) }
      try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
      #expect(await failures.isEmpty)
    }
  }

  @Test func `a closed store says that the server stops`() async throws {
    try await withDirectory { directory in
      let store = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      store.close()
      let failures = await store.save([change("a", state(locale: "de_DE"))])
      #expect(failures[0]?.reason == "the server stops")
    }
  }

  @Test func `only its owner can read the file`() async throws {
    try await withDirectory { directory in
      _ = try SessionStore(directory, states: [OnsideState.self], logger: logger)
      let attributes = try FileManager.default.attributesOfItem(atPath: directory.path + "/" + SQLiteEngine.fileName)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }
}
