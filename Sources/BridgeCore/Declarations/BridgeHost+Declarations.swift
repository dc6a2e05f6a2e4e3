extension BridgeHost {
  /// Behaves as declared. To be called after the slots have their handlers and before code of the developer's own, which then has the last
  /// word.
  ///
  /// A slot whose action is answered or pending by declaration loses its handler; its capability stays what it was. A capability with the
  /// id of a slot sets whether the slot is enabled and its permission state, and its answer is that of the slot's action.
  public func apply(_ declarations: GBGDeclarations) {
    var answers = declarations.answers
    for (id, capability) in declarations.capabilities {
      let slot = slots.first { $0.id == id }
      if let slot {
        slot.isEnabled = capability.info.supported
        if let state = capability.info.permissionState.flatMap(PermissionState.init) { slot.permissionState = state }
      } else {
        declareCapability(id, capability.info)
      }
      let action = slot?.actionId ?? id
      if let answer = capability.answer, answers[action] == nil { answers[action] = answer }
    }
    for slot in slots where answers[slot.actionId] != nil || declarations.pending.contains(slot.actionId) {
      declareCapability(slot.id, slot.buildCapabilityInfo())
      slot.handler = nil
    }
    for (action, answer) in answers { replaceHandler(of: action, with: CannedAnswerHandler(action, answer, clock)) }
    for action in declarations.pending { replaceHandler(of: action, with: nil) }
  }
}
