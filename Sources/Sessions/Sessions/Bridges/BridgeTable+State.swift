/// The states of bridges in a session.
extension BridgeTable {
  /// The record of a new session. It includes bridges that are switched off: they keep their state.
  package var newRecord: SessionRecord { SessionRecord(newStates) }

  /// The bridges' states in a new session.
  package var newStates: [any BridgeState] { (definitions + definitionsOff).compactMap(\.profile.newState) }

  /// The types of the states in the store.
  package var stateTypes: [any BridgeState.Type] { newRecord.states.map { type(of: $0) } }
}
