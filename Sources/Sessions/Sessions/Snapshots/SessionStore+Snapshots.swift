import Essentials

/// The snapshots that tests have named. All servers on the store have them.
extension SessionStore {
  /// Returns the names, sorted by their bytes.
  func snapshotNames() async throws -> [String] {
    try await read { try $0.rows("SELECT name FROM snapshot ORDER BY name").map { try $0[0].text() } }
  }

  /// Returns a snapshot's text; nil if there is none. Notes that it is used.
  func snapshot(_ name: String) async throws -> [UInt8]? {
    let row = try await read { try $0.row("SELECT content, usedAt FROM snapshot WHERE name = ?", .text(name)) }
    guard let row else { return nil }
    // The time matters only to the day, so it is stored at most once a day.
    if let usedAt = Self.date(try row[1].text()), usedAt.timeIntervalSinceNow < -86_400 {
      try? await write {
        try $0.run("UPDATE snapshot SET usedAt = ? WHERE name = ?", .text(Self.time(Date())), .text(name))
      }
    }
    let content = try row[0].requiredBytes()
    return seal.map { $0.open(content) } ?? content
  }

  /// Keeps a snapshot, unless there are too many or they are too large. If several servers keep one at the same time, there may be one more
  /// for each of them.
  ///
  /// - Throws: ``StoreFailure``.
  func save(snapshot text: [UInt8], as name: String) async throws -> NamedSnapshots.Verdict {
    let text = seal?.seal(text) ?? text
    return try await write { try Self.save(text, as: name, in: $0) }
  }

  private static func save(
    _ text: [UInt8], as name: String, in transaction: any StoreTransaction
  ) throws -> NamedSnapshots.Verdict {
    let sql = "SELECT count(*), coalesce(sum(length(content)), 0) FROM snapshot WHERE name <> ?"
    if let others = try transaction.row(sql, .text(name)) {
      guard try others[0].integer() < NamedSnapshots.limit else { return .tooMany }
      guard try others[1].integer() + text.count <= NamedSnapshots.byteLimit else { return .tooLarge }
    }
    try transaction.run(
      """
      INSERT INTO snapshot (name, content, usedAt) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET content = excluded.content, usedAt = excluded.usedAt
      """,
      .text(name), .blob(text), .text(time(Date())))
    return .saved
  }

  /// Forgets a snapshot. Returns false if there is none.
  ///
  /// - Throws: ``StoreFailure``.
  func forget(snapshot name: String) async throws -> Bool {
    try await write { transaction in
      let row = try transaction.row("SELECT 1 FROM snapshot WHERE name = ?", .text(name))
      try transaction.run("DELETE FROM snapshot WHERE name = ?", .text(name))
      return row != nil
    }
  }

  /// Deletes the snapshots that were not used for a long time.
  ///
  /// - Throws: ``StoreFailure``.
  func forgetSnapshots(unusedSince overdue: Date) async throws {
    try await write { try $0.run("DELETE FROM snapshot WHERE usedAt < ?", .text(Self.time(overdue))) }
  }
}
