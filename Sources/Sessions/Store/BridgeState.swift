package import BridgeCore
package import BridgeRuntime
package import Essentials

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
  func writeRows(since former: Self?, of sessionKey: String, to transaction: any StoreTransaction) throws

  /// Reads what was written.
  ///
  /// - Throws: `DecodingError` when it is damaged.
  static func read(column content: Data, of sessionKey: String, from transaction: any StoreTransaction) throws -> Self

  // MARK: Worlds

  /// The name of the world that the session shares with others; nil for a world of its own. Sessions of a world are stored together or not at
  /// all.
  var worldName: String? { get }

  /// The state of a new session in a world; nil for a world of its own.
  func joining(world name: String?) -> Self

  /// The state with what its world has in the store.
  ///
  /// - Throws: An error if the store cannot be read.
  func withWorld(from transaction: any StoreTransaction) throws -> Self

  /// What is left of the state. `new` is the state of a new session.
  func left(by loss: StateLoss, new: Self) -> Self

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
  static func isStored(oneOf ids: Set<String>, in transaction: any StoreTransaction) throws -> Bool
}

/// What leaves only a part of a session's state, or nothing.
package enum StateLoss: Sendable {
  /// The person takes another device. The app is installed there, and this state stays as it is.
  case newDevice
  /// The app was deleted and installed anew.
  case reinstall
  /// A test begins from the start.
  case reset
}

/// A state that belongs to one device alone, without such ids, all of which outlives its launch.
extension BridgeState {
  package var worldName: String? { nil }
  package func joining(world name: String?) -> Self { self }
  package func withWorld(from transaction: any StoreTransaction) throws -> Self { self }
  package func left(by loss: StateLoss, new: Self) -> Self { new }
  package var carried: Self { self }
  package var impossibility: (member: String, expectation: String)? { nil }
  package var serverWideIDs: Set<String> { [] }
  package func withNewServerWideIDs(_ random: BridgeRandom) -> Self { self }
  package static func isStored(oneOf ids: Set<String>, in transaction: any StoreTransaction) throws -> Bool { false }
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
