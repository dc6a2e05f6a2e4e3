package import BridgeCore

/// One thing that a declared bridge does when a message has come.
package struct DeclaredAnswer: Sendable, Hashable {
  /// What it does.
  package enum Step: Sendable, Hashable {
    /// Resolves the promise of the message.
    case reply(JSONTemplate)
    /// Rejects it, with an `Error` of this text.
    case fail(JSONTemplate)
    /// Calls a function of the page. Each part of its path is a name, or a text with dots between names.
    case call(path: [JSONTemplate], arguments: JSONTemplate)
    /// Dispatches a `CustomEvent` on `window`.
    case event(name: JSONTemplate, detail: JSONTemplate?)

    /// Whether the promise settles with it.
    var isReply: Bool {
      switch self {
      case .reply, .fail: true
      case .call, .event: false
      }
    }
  }

  /// What it does.
  package let step: Step
  /// How long it waits first, by the session's clock, counted from the answer before it.
  package let delay: Duration

  /// Creates an answer.
  package init(_ step: Step, delay: Duration = .zero) {
    (self.step, self.delay) = (step, delay)
  }
}

/// What is sent to the page outside of replies: an event of the bridge, which the shim carries out.
package struct DeclaredEvent: Sendable, Hashable {
  /// What the shim does: `call`, `event` or `evaluate`.
  package let kind: String
  /// What it is told.
  package let data: [String: JSONValue]

  /// A call of a function of the page. Nil when the path has a part that is neither a text nor a number.
  package static func call(_ path: [JSONValue], _ arguments: JSONValue) -> DeclaredEvent? {
    var names: [JSONValue] = []
    for part in path {
      switch part {
      // A single text is a path; in a list, each is a name.
      case .string(let text) where path.count == 1: names += text.split(separator: ".").map { .string(String($0)) }
      case .string, .number: names.append(part)
      default: return nil
      }
    }
    if names.isEmpty { return nil }
    return DeclaredEvent(kind: "call", data: ["path": .array(names), "args": arguments])
  }

  /// An event on `window`.
  package static func event(_ name: String, _ detail: JSONValue?) -> DeclaredEvent {
    var data: [String: JSONValue] = ["name": .string(name)]
    data["detail"] = detail
    return DeclaredEvent(kind: "event", data: data)
  }

  /// A script that the page runs.
  package static func evaluate(_ script: String) -> DeclaredEvent {
    DeclaredEvent(kind: "evaluate", data: ["script": .string(script)])
  }

  /// What a step sends, for a message; nil for a reply, and for one whose message lacks what it needs.
  static func of(_ step: DeclaredAnswer.Step, _ message: JSONValue) -> DeclaredEvent? {
    switch step {
    case .reply, .fail: nil
    case .call(let path, let arguments): call(path.map { $0.filled(from: message) }, arguments.filled(from: message))
    case .event(let name, let detail):
      name.filled(from: message).stringValue.map { event($0, detail?.filled(from: message)) }
    }
  }
}
