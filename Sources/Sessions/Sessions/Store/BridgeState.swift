public import BridgeCore
public import BridgeRuntime
public import Essentials

/// The state of a bridge in a session that is too large for the profile. The store keeps it in a column of the session's row, and in rows
/// of the bridge's own tables. Most bridges need only the profile.
@usableFromInline
package protocol BridgeState: Sendable, Hashable {
  /// The name of the column in the session's row.
  static var column: String { get }

  /// The names of other columns that the state has there. They may be NULL.
  static var otherColumns: [String] { get }

  /// The tables in which a session has rows.
  static var tables: [StoreTable] { get }

  /// Whether the state must be kept after the last page of the session has ended. `new` is the state with which the session began.
  func isLasting(since new: Self) -> Bool

  /// Returns the content of the column.
  func columnContent() throws -> [UInt8]

  /// Whether the content of the column is the same for `former`.
  func hasSameColumn(as former: Self) -> Bool

  /// Writes the rows that have changed since `former`; all rows if `former` is nil. The session's row already exists.
  func writeRows(since former: Self?, of sessionKey: String, to transaction: any StoreTransaction) throws

  /// Reads the state from the column, the other columns, and the session's rows of each of ``tables``.
  ///
  /// - Throws: `DecodingError` if they are damaged.
  static func read(
    column content: Data, others: [StoreValue], rows: [[[StoreValue]]], from transaction: any StoreTransaction
  ) throws -> Self

  // MARK: Worlds

  /// The name of the world that the session shares with others; nil if it shares none. Changes of the sessions of one world are stored all
  /// together, or not at all.
  var worldName: String? { get }

  /// Returns the state of a new session in a world. `name` is nil for a session that shares no world.
  func joining(world name: String?) -> Self

  /// Returns the state with the stored content of its world.
  ///
  /// - Throws: An error if the store cannot be read.
  func withWorld(from transaction: any StoreTransaction) throws -> Self

  /// Returns the state after a loss. `new` is the state of a new session.
  func remaining(by loss: StateLoss, new: Self) -> Self

  // MARK: Snapshots

  /// The state for another session that begins with it. Leaves out what belongs to the pages of this launch.
  var carried: Self { get }

  /// The state as JSON for a file.
  func exported() throws -> JSONValue

  /// Reads an exported state. The file may come from anybody.
  ///
  /// - Throws: `DecodingError` if a member is missing or wrong.
  static func imported(_ text: Data) throws -> Self

  /// The first member with an impossible value, and a text that says what it must be; nil if the state is possible.
  var impossibility: (member: String, expectation: String)? { get }

  /// The ids in the state that are unique on the server, such as those of orders. The server finds the session by them.
  var serverWideIDs: Set<String> { get }

  /// Returns the state with new ids in place of ``serverWideIDs``.
  func withNewServerWideIDs(_ random: BridgeRandom) -> Self

  /// Returns whether a stored session has one of these ids.
  static func isStored(oneOf ids: Set<String>, in transaction: any StoreTransaction) throws -> Bool
}

/// An event after which a session keeps only a part of its state, or nothing.
@usableFromInline
package enum StateLoss: Sendable {
  /// The app is installed on another device of the same person. The new device begins with what is left; this session keeps its state.
  case newDevice
  /// The app was deleted and installed again.
  case reinstall
  /// A test resets the session.
  case reset
}

/// Defaults for a state that belongs to one device, has no server-wide ids, and outlives its launch completely.
extension BridgeState {
  package var worldName: String? { nil }
  package func joining(world name: String?) -> Self { self }
  package func withWorld(from transaction: any StoreTransaction) throws -> Self { self }
  package func remaining(by loss: StateLoss, new: Self) -> Self { new }
  package var carried: Self { self }
  package var impossibility: (member: String, expectation: String)? { nil }
  package var serverWideIDs: Set<String> { [] }
  package func withNewServerWideIDs(_ random: BridgeRandom) -> Self { self }
  package static func isStored(oneOf ids: Set<String>, in transaction: any StoreTransaction) throws -> Bool { false }
}

/// Exports a state as its JSON.
extension BridgeState where Self: Codable {
  package func exported() throws -> JSONValue { try JSONValue(parsing: try SessionStore.encoded(self)) }
  package static func imported(_ text: Data) throws -> Self { try JSONDecoder().decode(Self.self, from: text) }
}
