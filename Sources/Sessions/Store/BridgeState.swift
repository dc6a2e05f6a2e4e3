package import Essentials
package import GRDB

/// What a bridge keeps of a session in the store besides its part of the profile: a column of the session's row, and rows of its own. Most
/// bridges need the profile alone.
package protocol BridgeState: Sendable, Hashable {
  /// The column of the session's row.
  static var column: String { get }

  /// Whether something is here that must outlast the pages of a session that began as `new`.
  func isLasting(since new: Self) -> Bool

  /// What the column holds.
  func columnContent() throws -> [UInt8]

  /// Whether the column holds the same for `former`.
  func hasSameColumn(as former: Self) -> Bool

  /// Writes all that has changed since `former` and has rows or columns of its own; all of it when there is none. The session's row is there.
  func writeRows(since former: Self?, of sessionKey: String, to database: Database) throws

  /// Reads what was written.
  ///
  /// - Throws: `DecodingError` when it is damaged.
  static func read(column content: Data, of sessionKey: String, from database: Database) throws -> Self
}

/// A bridge that has such a state.
package protocol StatefulBridge: BridgeDefinition {
  /// What a new session begins with.
  var newState: any BridgeState { get }
}

extension BridgeTable {
  /// What a new session begins with. A bridge that is switched off keeps what it has.
  package var newRecord: SessionRecord {
    SessionRecord((definitions + definitionsOff).compactMap { ($0 as? any StatefulBridge)?.newState })
  }

  /// The kinds of states that the store has.
  package var stateTypes: [any BridgeState.Type] { newRecord.states.map { type(of: $0) } }
}
