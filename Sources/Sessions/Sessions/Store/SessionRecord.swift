package import BridgeRuntime
import Delivery
import Essentials

/// The state of a session that outlives its launch. The store keeps it, and the next launch begins with it.
@usableFromInline
package struct SessionRecord: Sendable {
  /// The session's own settings.
  @Shared package var profile: SessionProfile
  /// The bridges that only this session has. They are not in the profile, whose row is written far more often.
  package var ownBridges: StoredBridges
  /// The bridges' states, one of each type at the most.
  @usableFromInline
  var states: [any BridgeState]

  package init(
    _ states: [any BridgeState], profile: SessionProfile = SessionProfile(), ownBridges: StoredBridges = StoredBridges()
  ) {
    self.states = states
    self.profile = profile
    self.ownBridges = ownBridges
  }

  /// The state of this type; nil if there is none.
  @inlinable
  package subscript<State: BridgeState>(type: State.Type) -> State? {
    get {
      for state in states { if let state = state as? State { return state } }
      return nil
    }
    set {
      guard let newValue else { return states.removeAll { $0 is State } }
      if let index = states.firstIndex(where: { $0 is State }) {
        states[index] = newValue
      } else {
        states.append(newValue)
      }
    }
  }

  /// The name of the world that the session shares with others; nil if it shares none.
  package var worldName: String? { states.lazy.compactMap { $0.worldName }.first }

  /// Returns the states after a loss. `new` is the record of a new session.
  func statesRemaining(by loss: StateLoss, new: SessionRecord) -> [any BridgeState] {
    func remaining<State: BridgeState>(_ new: State) -> any BridgeState {
      self[State.self]?.remaining(by: loss, new: new) ?? new
    }
    return new.states.map { remaining($0) }
  }

  /// Returns the record of a new session in a world, with the stored content of the world. `name` is nil for a session that shares no world.
  func joining(world name: String?, _ store: SessionStore?) async throws -> SessionRecord {
    var record = SessionRecord(states.map { $0.joining(world: name) }, profile: profile)
    if let store, name != nil { record = try await store.read { [record] in try record.withWorld(from: $0) } }
    return record
  }

  /// The record of a session that shares no world.
  var withoutWorld: SessionRecord { SessionRecord(states.map { $0.joining(world: nil) }, profile: profile) }

  /// Returns the record with the stored content of its world.
  func withWorld(from transaction: any StoreTransaction) throws -> SessionRecord {
    SessionRecord(try states.map { try $0.withWorld(from: transaction) }, profile: profile)
  }

  /// Whether the session must be kept after its last page has ended. `new` is the record with which it began.
  func isLasting(since new: SessionRecord) -> Bool {
    if profile.isLasting(since: new.profile) { return true }
    func isLasting<State: BridgeState>(_ state: State) -> Bool {
      new[State.self].map { state.isLasting(since: $0) } ?? true
    }
    return states.contains { isLasting($0) }
  }
}

extension SessionRecord: Equatable {
  @usableFromInline
  package static func == (one: SessionRecord, other: SessionRecord) -> Bool {
    func hasSame<State: BridgeState>(_ state: State) -> Bool { other[State.self] == state }
    return one.profile == other.profile && one.ownBridges == other.ownBridges
      && one.states.count == other.states.count
      && one.states.allSatisfy { hasSame($0) }
  }
}

/// The stored part of one session.
struct StoredSession: Sendable {
  /// The state that outlives the launch.
  let record: SessionRecord
  /// The pages that had not ended when the server stopped, by id.
  let pages: [String: PageRecord]
  /// The stored time of the last use; nil if the session does not come from a store.
  var lastUse: Date?
  /// Whether the session must outlast its pages, as the store has it.
  var isLasting = false
}
