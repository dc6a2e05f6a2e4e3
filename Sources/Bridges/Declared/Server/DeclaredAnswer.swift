package import BridgeCore
package import Sessions

/// One action of a declared bridge in answer to a message.
package struct DeclaredAnswer: Sendable, Hashable {
  /// The kind of the action.
  package enum Step: Sendable, Hashable {
    /// Resolves the promise of the message.
    case reply(JSONTemplate)
    /// Rejects the promise of the message with a ``DeclaredError``.
    case fail(JSONTemplate)
    /// Calls a function of the page. Each part of its path is a name, or a text with dots between names.
    case call(path: [JSONTemplate], arguments: JSONTemplate)
    /// Dispatches a `CustomEvent` on `window`.
    case event(name: JSONTemplate, detail: JSONTemplate?)
    /// Dispatches an event of another kind, or on another object. The last value is an object of its members.
    case dispatch(name: JSONTemplate, DeclaredEventForm, JSONTemplate)
    /// Sets a variable of the page.
    case set(path: [JSONTemplate], JSONTemplate)
    /// Asks the session's store, and resolves the promise with its answer or with `reply`, which is filled from it, or rejects it. Answers after
    /// it wait for it, and only happen if the store has done what it was asked for.
    case store(operation: String, members: JSONTemplate, reply: JSONTemplate?)

    /// Whether the step settles the promise.
    package var isReply: Bool {
      switch self {
      case .reply, .fail, .store: true
      case .call, .event, .dispatch, .set: false
      }
    }
  }

  /// The kind of the action.
  package let step: Step
  /// The time to wait before it, on the session's clock, counted from the previous answer.
  package let delay: Duration
  /// What the message must be for this action; nil for any message.
  package let condition: JSONPattern?

  /// Creates an answer.
  package init(_ step: Step, delay: Duration = .zero, where condition: JSONPattern? = nil) {
    (self.step, self.delay, self.condition) = (step, delay, condition)
  }

  /// Chooses from the declared answers to a message: those whose conditions it meets, but only the first reply or error among them.
  ///
  /// - Returns: Nil if the message has no answer: it meets no condition, or needs a reply and meets the condition of none.
  package static func chosen(from answers: [DeclaredAnswer], for message: JSONValue) -> [DeclaredAnswer]? {
    var hasReply = false
    let chosen = answers.filter { answer in
      guard answer.condition?.matches(message) ?? true else { return false }
      guard answer.step.isReply else { return true }
      defer { hasReply = true }
      return !hasReply
    }
    let needsReply = answers.contains(where: \.step.isReply)
    return chosen.isEmpty || needsReply && !hasReply ? nil : chosen
  }
}

/// An event of a declared bridge, which the shim carries out in the page.
package struct DeclaredEvent: Sendable, Hashable {
  /// The kind: `call`, `event` or `evaluate`.
  package let kind: String
  /// The data for the shim.
  package let data: [String: JSONValue]

  /// Calls a function of the page. Nil if the path has a part that is neither a text nor a number.
  package static func call(_ path: [JSONValue], _ arguments: JSONValue) -> DeclaredEvent? {
    names(path).map { DeclaredEvent(kind: "call", data: ["path": .array($0), "args": arguments]) }
  }

  /// The names in a path. Nil if there is none, or if a part is neither a text nor a number.
  static func names(_ path: [JSONValue]) -> [JSONValue]? {
    var names: [JSONValue] = []
    for part in path {
      switch part {
      // A single text is a path with dots. In a list, each text is one name.
      case .string(let text) where path.count == 1: names += text.split(separator: ".").map { .string(String($0)) }
      case .string, .number: names.append(part)
      default: return nil
      }
    }
    return names.isEmpty ? nil : names
  }

  /// Dispatches an event on `window`.
  package static func event(_ name: String, _ detail: JSONValue?) -> DeclaredEvent {
    var data: [String: JSONValue] = ["name": .string(name)]
    data["detail"] = detail
    return DeclaredEvent(kind: "event", data: data)
  }

  /// Runs a script in the page.
  package static func evaluate(_ script: String) -> DeclaredEvent {
    DeclaredEvent(kind: "evaluate", data: ["script": .string(script)])
  }

  /// Returns the event of a step for a message; nil for a reply, or if the message lacks a member that the step needs.
  static func of(_ step: DeclaredAnswer.Step, _ message: JSONValue) -> DeclaredEvent? {
    switch step {
    case .reply, .fail, .store: return nil
    case .call(let path, let arguments):
      let arguments = arguments.filled(from: message)
      return arguments.arrayValue == nil ? nil : call(path.map { $0.filled(from: message) }, arguments)
    case .event(let name, let detail):
      return name.filled(from: message).stringValue.map { event($0, detail?.filled(from: message)) }
    case .dispatch(let name, let form, let members):
      return name.filled(from: message).stringValue.map { dispatch($0, form, members.filled(from: message)) }
    case .set(let path, let value): return set(path.map { $0.filled(from: message) }, value.value(from: message))
    }
  }
}
