package import BridgeRuntime

/// The snapshots that tests have named. They are in the store, where every server on it has them, or without a store in memory.
@BridgeActor
package final class NamedSnapshots {
  /// The maximum number of snapshots.
  package nonisolated static let limit = 100
  /// The maximum size of all snapshots, in bytes of JSON.
  package nonisolated static let byteLimit = 64 << 20

  /// Whether a snapshot was kept.
  package enum Verdict: Sendable, Hashable {
    case saved
    /// There are ``NamedSnapshots/limit`` others.
    case tooMany
    /// All snapshots together would have more bytes than ``NamedSnapshots/byteLimit``.
    case tooLarge
  }

  private let store: SessionStore?
  private let newStates: [any BridgeState]
  private var byName: [String: (snapshot: SessionSnapshot, byteCount: Int)] = [:]

  /// - Parameters:
  ///   - store: The store; nil to keep them in memory.
  ///   - newStates: The states of a new session.
  init(_ store: SessionStore?, newStates: [any BridgeState]) {
    self.store = store
    self.newStates = newStates
  }

  /// Returns the names, sorted.
  ///
  /// - Throws: An error if the store cannot be read.
  package func names() async throws -> [String] {
    try await store?.snapshotNames() ?? byName.keys.sorted()
  }

  /// Returns the snapshot with this name; nil if there is none.
  ///
  /// - Throws: An error if the store cannot be read; `DecodingError` for a snapshot of a version that this one does not understand.
  package func snapshot(_ name: String) async throws -> SessionSnapshot? {
    guard let store else { return byName[name]?.snapshot }
    guard let text = try await store.snapshot(name) else { return nil }
    // A snapshot may be large. Other sessions need not wait for it.
    return try await Task.detached { [newStates] in try SessionSnapshot(encoded: text, newStates: newStates) }.value
  }

  /// Keeps a snapshot in place of an earlier one with this name.
  ///
  /// - Throws: ``StoreFailure``; `EncodingError`.
  package func save(_ snapshot: SessionSnapshot, as name: String) async throws -> Verdict {
    let text = try await Task.detached { try snapshot.encoded() }.value
    if let store { return try await store.save(snapshot: text, as: name) }
    let others = byName.filter { $0.key != name }
    guard others.count < Self.limit else { return .tooMany }
    guard others.reduce(text.count, { $0 + $1.value.byteCount }) <= Self.byteLimit else { return .tooLarge }
    byName[name] = (snapshot, text.count)
    return .saved
  }

  /// Forgets a snapshot. Returns false if there is none with this name.
  ///
  /// - Throws: ``StoreFailure``.
  package func forget(_ name: String) async throws -> Bool {
    guard let store else { return byName.removeValue(forKey: name) != nil }
    return try await store.forget(snapshot: name)
  }
}
