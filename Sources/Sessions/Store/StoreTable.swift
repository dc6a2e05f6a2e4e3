/// A table with rows of sessions, and the statements that change it. They are created once, since each is looked up by its text.
struct StoreTable: Sendable {
  /// Reads the contents of a session's rows, in their order.
  let select: String
  /// Writes a row.
  let insert: String
  /// Deletes a row.
  let delete: String
  /// Deletes a session's rows.
  let deleteAll: String

  init(_ name: String) {
    select = "SELECT content FROM \(name) WHERE sessionKey = ? ORDER BY rowid"
    insert = """
      INSERT INTO \(name) (sessionKey, id, content) VALUES (?, ?, ?)
      ON CONFLICT (sessionKey, id) DO UPDATE SET content = excluded.content
      """
    delete = "DELETE FROM \(name) WHERE sessionKey = ? AND id = ?"
    deleteAll = "DELETE FROM \(name) WHERE sessionKey = ?"
  }
}
