import BridgeCore
import BridgeRuntime
import Essentials

/// A snapshot as the store keeps it.
extension SessionSnapshot {
  /// The JSON of a snapshot. Servers of two neighbouring versions read it: a member that one of them does not know is left out.
  private struct Content: Codable {
    struct Clock: Codable {
      /// In milliseconds since 1970.
      let now: Double
      let isFrozen: Bool
    }

    let profile: SessionProfile
    let clock: Clock?
    /// The bridges' states, by the names of their columns.
    let states: [String: JSONValue]
  }

  /// The snapshot as JSON text.
  ///
  /// - Throws: `EncodingError`.
  func encoded() throws -> [UInt8] {
    let states = try states.map { (type(of: $0).column, try $0.exported()) }
    return try SessionStore.encoded(
      Content(
        profile: profile,
        clock: clock.map { Content.Clock(now: $0.now.millisecondsSinceEpoch, isFrozen: $0.isFrozen) },
        states: Dictionary(uniqueKeysWithValues: states)))
  }

  /// Reads a snapshot.
  ///
  /// - Parameter newStates: The states of a new session, for those that the snapshot does not have.
  /// - Throws: `DecodingError` if this version cannot read it.
  init(encoded text: [UInt8], newStates: [any BridgeState]) throws {
    let content = try JSONDecoder().decode(Content.self, from: Data(text))
    func state<State: BridgeState>(like new: State) throws -> any BridgeState {
      guard let json = content.states[State.column] else { return new }
      return try State.imported(Data(json.jsonText.utf8)).carried
    }
    self.init(
      profile: content.profile, states: try newStates.map { try state(like: $0) },
      clock: content.clock.map { (BridgeInstant(millisecondsSinceEpoch: $0.now), $0.isFrozen) })
  }
}
