package import BridgeCore
package import BridgeRuntime
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

  // MARK: Snapshots

  /// The state as another session can begin with it: without what the pages of this launch were told.
  var carried: Self { get }

  /// The state as JSON for a file.
  func exported() throws -> JSONValue

  /// Reads what was exported, perhaps by somebody else.
  ///
  /// - Throws: `DecodingError` if a member is missing or wrong.
  static func imported(_ text: Data) throws -> Self

  /// The first member that no session can have, and what it must be; nil if the state is possible.
  var impossibility: (member: String, expectation: String)? { get }

  /// The ids by which the server finds the session. No other session may have them.
  var serverWideIDs: Set<String> { get }

  /// The state with new ids of that kind.
  func withNewServerWideIDs(_ random: BridgeRandom) -> Self

  /// Whether a stored session has one of these ids.
  static func isStored(oneOf ids: Set<String>, in database: Database) throws -> Bool
}

/// A state without such ids, all of which outlives its launch.
extension BridgeState {
  package var carried: Self { self }
  package var impossibility: (member: String, expectation: String)? { nil }
  package var serverWideIDs: Set<String> { [] }
  package func withNewServerWideIDs(_ random: BridgeRandom) -> Self { self }
  package static func isStored(oneOf ids: Set<String>, in database: Database) throws -> Bool { false }
}

/// A state that its coder writes completely.
extension BridgeState where Self: Codable {
  package func exported() throws -> JSONValue { try JSONValue(parsing: try SessionStore.encoded(self)) }
  package static func imported(_ text: Data) throws -> Self { try JSONDecoder().decode(Self.self, from: text) }
}

/// A bridge that has such a state.
package protocol StatefulBridge: BridgeDefinition {
  /// What a new session begins with.
  var newState: any BridgeState { get }
}

extension BridgeTable {
  /// What a new session begins with. A bridge that is switched off keeps what it has.
  package var newRecord: SessionRecord { SessionRecord(newStates) }

  /// The bridges' states in a new session.
  package var newStates: [any BridgeState] {
    (definitions + definitionsOff).compactMap { ($0 as? any StatefulBridge)?.newState }
  }

  /// The kinds of states that the store has.
  package var stateTypes: [any BridgeState.Type] { newRecord.states.map { type(of: $0) } }
}
