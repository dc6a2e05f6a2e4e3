import BridgeRuntime
import Essentials

/// The state that outlives a session's launch. The store keeps it, and the next launch receives it.
package struct SessionRecord: Sendable {
  /// The session's own settings.
  @Shared var profile: SessionProfile
  /// The bridges' states, one of each type at the most.
  private(set) var states: [any BridgeState]

  package init(_ states: [any BridgeState], profile: SessionProfile = SessionProfile()) {
    self.states = states
    self.profile = profile
  }

  /// A bridge's state; nil when there is none.
  subscript<State: BridgeState>(type: State.Type) -> State? {
    get { states.lazy.compactMap { $0 as? State }.first }
    set {
      guard let newValue else { return states.removeAll { $0 is State } }
      if let index = states.firstIndex(where: { $0 is State }) {
        states[index] = newValue
      } else {
        states.append(newValue)
      }
    }
  }

  /// The name of the world that the session shares with others; nil for a world of its own.
  package var worldName: String? { states.lazy.compactMap { $0.worldName }.first }

  /// What is left of the states. `new` is the record of a new session.
  func statesLeft(by loss: StateLoss, new: SessionRecord) -> [any BridgeState] {
    func left<State: BridgeState>(_ new: State) -> any BridgeState {
      self[State.self]?.left(by: loss, new: new) ?? new
    }
    return new.states.map { left($0) }
  }

  /// A record with the states of a session in a world, and what the world has in the store. Nil for a world of its own.
  func joining(world name: String?, _ store: SessionStore?) async throws -> SessionRecord {
    var record = SessionRecord(states.map { $0.joining(world: name) }, profile: profile)
    if let store, name != nil { record = try await store.read { [record] in try record.withWorld(from: $0) } }
    return record
  }

  /// The record of a session with a world of its own.
  var withoutWorld: SessionRecord { SessionRecord(states.map { $0.joining(world: nil) }, profile: profile) }

  /// The record with what its world has in the store.
  func withWorld(from transaction: any StoreTransaction) throws -> SessionRecord {
    SessionRecord(try states.map { try $0.withWorld(from: transaction) }, profile: profile)
  }

  /// Whether the state must outlast the pages of a session that began as `new`.
  func isLasting(since new: SessionRecord) -> Bool {
    if profile.isLasting(since: new.profile) { return true }
    func isLasting<State: BridgeState>(_ state: State) -> Bool {
      new[State.self].map { state.isLasting(since: $0) } ?? true
    }
    return states.contains { isLasting($0) }
  }
}

extension SessionRecord: Equatable {
  package static func == (one: SessionRecord, other: SessionRecord) -> Bool {
    func hasSame<State: BridgeState>(_ state: State) -> Bool { other[State.self] == state }
    return one.profile == other.profile && one.states.count == other.states.count
      && one.states.allSatisfy { hasSame($0) }
  }
}

/// The stored part of one session.
struct StoredSession: Sendable {
  /// The state that outlives a launch.
  let record: SessionRecord
  /// The pages that had not ended, by id.
  let pages: [String: PageRecord]
  /// The time of the last use that the store knows; nil if the session does not come from a store.
  var lastUse: Date?
  /// Whether the session must outlast its pages, as the store has it.
  var isLasting = false
}
