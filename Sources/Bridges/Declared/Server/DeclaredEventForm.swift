package import BridgeCore

/// What an event is besides its name, unless it is a `CustomEvent` on `window` with a detail.
package struct DeclaredEventForm: Sendable, Hashable {
  /// The members that say it, in an answer and in a line of a handler.
  package static let keys = ["on", "kind", "data", "origin", "init"]
  /// The members of the event that have keys of their own, by the kind of events that have them.
  package static let ownMembers = ["detail": "CustomEvent", "data": "MessageEvent", "origin": "MessageEvent"]

  /// The path of its target from `window`, or from an instance of a class that native has put into it.
  package internal(set) var target: [String]
  /// The name of its constructor.
  package let kind: String

  /// Creates a form; nil if `target` is no path, `kind` is not the name of an event's constructor, or such an event does not have one of the
  /// `members`.
  package init?(target: String?, kind: String?, members: some Sequence<String>) {
    let own = Set(members.compactMap { Self.ownMembers[$0] })
    let kind = kind ?? own.first ?? "CustomEvent"
    let path = (target ?? "window").split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    guard path.allSatisfy({ !$0.isEmpty }), own.allSatisfy({ $0 == kind }), kind.utf8.count <= 100,
      kind.wholeMatch(of: /([A-Z][A-Za-z]*)?Event/) != nil
    else { return nil }
    (self.target, self.kind) = (path, kind)
  }

  /// Reads the members of a line about such an event: `on`, `kind` and `init`, and members of the event that stand beside them. Returns the
  /// form, and all members of the event; nil if they do not fit.
  package static func read(
    _ members: [String: JSONValue]
  ) -> (form: DeclaredEventForm, values: [String: JSONValue])? {
    let own = ownMembers.keys.filter { members[$0] != nil }
    let (target, kind) = (members["on"] ?? "window", members["kind"])
    guard target.stringValue != nil, kind == nil || kind?.stringValue != nil,
      let form = DeclaredEventForm(target: target.stringValue, kind: kind?.stringValue, members: own),
      case .object(var values) = members["init"] ?? [:]
    else { return nil }
    for name in own { values[name] = members[name] }
    return (form, values)
  }
}

extension DeclaredEvent {
  /// Reads an event with its members `on`, `kind`, `detail`, `data`, `origin` and `init`. Nil if they are not what such an event has.
  static func event(_ name: String, of members: [String: JSONValue]) -> DeclaredEvent? {
    guard DeclaredEventForm.keys.contains(where: { members[$0] != nil }) else { return .event(name, members["detail"]) }
    return DeclaredEventForm.read(members).map { .dispatch(name, $0.form, .object($0.values)) }
  }

  /// Dispatches an event of any kind on any object of the page. `members` are those that its constructor takes.
  package static func dispatch(_ name: String, _ form: DeclaredEventForm, _ members: JSONValue) -> DeclaredEvent {
    DeclaredEvent(
      kind: "dispatch",
      data: [
        "name": .string(name), "on": .array(form.target.map { .string($0) }), "kind": .string(form.kind),
        "init": members,
      ])
  }

  /// Sets a variable of the page. Nil if the path has a part that is neither a text nor a number.
  package static func set(_ path: [JSONValue], _ value: JSONValue?) -> DeclaredEvent? {
    guard let names = names(path) else { return nil }
    var data: [String: JSONValue] = ["path": .array(names)]
    data["value"] = value
    return DeclaredEvent(kind: "set", data: data)
  }
}
