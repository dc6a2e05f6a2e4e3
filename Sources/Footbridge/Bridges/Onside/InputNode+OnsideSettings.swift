import OnsideKit

/// The store's settings, as `footbridge.yaml` and the control API have them.
extension InputNode {
  /// Reads settings. `calls` are among them in the control API, and have a section of their own in `footbridge.yaml`.
  func onsideSettings(withCalls hasCalls: Bool) throws(OptionError) -> OnsideSettingsChanges {
    var changes = OnsideSettingsChanges()
    let calls = OnsideCallBehaviour.settingsName
    let fields = OnsideSettingsField.all
    for (name, value) in try members(known: fields.map(\.name) + (hasCalls ? [calls] : [])) {
      if let field = fields.first(where: { $0.name == name }) {
        changes.add(try field.read(value))
      } else {
        try value.readOnsideCalls(into: &changes)
      }
    }
    return changes
  }

  /// Reads what calls are to do, by their names: `{delay?, error?, once?}`, or `null` for the usual behaviour.
  func readOnsideCalls(into changes: inout OnsideSettingsChanges) throws(OptionError) {
    for (name, node) in try members() {
      guard let call = OnsideCall(rawValue: name) else {
        throw node.expected("named by a call, one of: \(OnsideCall.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      let behaviour = node.isNull ? OnsideCallBehaviour() : try node.onsideCallBehaviour()
      if let error = behaviour.error, !call.errorCases.contains(error) {
        throw node.expected("given an error that the call can have: \(call.errorCases.joined(separator: ", "))")
      }
      // The error was checked just now.
      changes.add { try? $0.set(behaviour, for: call) }
    }
  }

  private func onsideCallBehaviour() throws(OptionError) -> OnsideCallBehaviour {
    typealias Field = OnsideCallBehaviour.Field
    let members = try section(Field.allCases.map(\.rawValue))
    let error = members[Field.error.rawValue]
    return OnsideCallBehaviour(
      delayMilliseconds: try members[Field.delay.rawValue]?.integer(in: 0...3_600_000) ?? 0,
      error: error?.isNull == true ? nil : try error?.text(),
      once: try members[Field.once.rawValue]?.bool() ?? false
    )
  }
}
