import BridgeRuntime
import Cryptography

/// Tokens that can be used once, at all servers on one database together.
extension SessionStore {
  /// Remembers a token. Returns whether it is new.
  ///
  /// - Parameters:
  ///   - id: The token's id; any text.
  ///   - end: The time when the token expires and is forgotten.
  /// - Throws: ``StoreFailure``.
  func use(token id: String, until end: BridgeInstant, now: BridgeInstant) async throws -> Bool {
    let hash = Hexadecimal.text(SHA256.hash(id))
    let (now, end) = (Int(now.millisecondsSinceEpoch), Int(end.millisecondsSinceEpoch))
    return try await write { transaction in
      try transaction.run("DELETE FROM usedToken WHERE endsAt <= ?", .integer(now))
      let row = try transaction.row(
        "INSERT INTO usedToken (id, endsAt) VALUES (?, ?) ON CONFLICT (id) DO NOTHING RETURNING 1", .text(hash),
        .integer(end))
      return row != nil
    }
  }
}
